// The shapes from which a scene is drawn, in questions about a place and in a class's answers.
import { svg } from "../page/dom.js";

// A line through points [x, y], as the path of a drawing.
export const pathThrough = (points) => points.map((point, k) => `${k ? "L" : "M"}${point.join(" ")}`).join("");

/** @param {number[]} place @param {number} r @param {string} name */
export function diamond([x, y], r, name) {
  return svg("path", { d: `M${x} ${y - r}l${r} ${r}l-${r} ${r}l-${r}-${r}z`, class: name });
}

/** @param {number[]} place @param {number} r @param {string} name */
export function dot([cx, cy], r, name) {
  return svg("circle", { cx, cy, r, class: name });
}
