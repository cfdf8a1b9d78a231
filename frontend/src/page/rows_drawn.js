// The first rows of a file as its columns would be read: a path with north above, and a mark on the earth, whose land is told
// by its cities; or a line of values. Python says where everything is.
import { h, svg } from "./dom.js";

const [SIDE, EDGE] = [100, 6]; // of the box that Python draws in, and around it
const EARTH = "-180 -84 360 144"; // degrees, south downwards

export class RowsDrawn {
  constructor() {
    this.element = h("figure", { class: "lmdk-rowsdrawn", hidden: true });
  }

  // drawn: line, is_path, scale, here, cities and said, or null
  show(drawn) {
    this.element.hidden = !drawn;
    if (!drawn) return;
    this.element.replaceChildren(h("div", {}, line(drawn), drawn.here && earth(drawn)), h("figcaption", { class: "lmdk-meaning" }, drawn.said));
  }
}

function line({ line: points, is_path: isPath, scale }) {
  const path = svg("polyline", { points: points.map((point) => point.join(",")).join(" "), class: "lmdk-rowsline" });
  const marks = isPath ? points.map(([cx, cy], k) => svg("circle", { cx, cy, r: k ? 1.4 : 3.2, class: k ? "lmdk-rowspoint" : "lmdk-rowsfirst" })) : [];
  const y = SIDE + EDGE + 4;
  const bar = scale && [
    svg("path", { d: `M0 ${y - 3}v3h${scale[0]}v-3`, class: "lmdk-rowsscale" }),
    svg("text", { x: scale[0] + 3, y, class: "lmdk-rowstext" }, scale[1]),
  ];
  const label = isPath ? "The first rows as a path, north above" : "The values of the first rows";
  const box = `${-EDGE} ${-EDGE} ${SIDE + 2 * EDGE} ${SIDE + 2 * EDGE + (scale ? 8 : 0)}`;
  return svg("svg", { viewBox: box, role: "img", "aria-label": label, ...(isPath ? {} : { preserveAspectRatio: "none" }) }, path, ...marks, ...(bar ?? []));
}

function earth({ here: [east, north], cities }) {
  const dots = cities.map(([x, y]) => svg("circle", { cx: x, cy: -y, r: 2, class: "lmdk-rowscity" }));
  const mark = svg("path", { d: `M${east - 9} ${-north}h18M${east} ${-north - 9}v18`, class: "lmdk-rowshere" });
  const ring = svg("circle", { cx: east, cy: -north, r: 6, class: "lmdk-rowshere" });
  return svg("svg", { viewBox: EARTH, role: "img", "aria-label": "Where on the earth the first row is", class: "lmdk-rowsearth" }, ...dots, mark, ring);
}
