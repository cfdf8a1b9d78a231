// The answers of a class to a question that is not chosen from a list: numbers on an axis, places on a map, curves.
import { h, svg } from "../page/dom.js";
import { amount } from "../page/format.js";
import { Axis } from "../question/axis.js";
import { diamond, dot, pathThrough } from "../question/scene.js";

const WIDTH = 1000;
const SIDE = 40;

function frame(height, label, ...parts) {
  return svg("svg", { viewBox: `0 0 ${WIDTH} ${height}`, class: "class-bars", role: "img", "aria-label": label }, ...parts);
}

const none = () => h("p", { class: "class-wait" }, "Nobody has answered yet.");
const rightMark = (x, y, r) => diamond([x, y], r, "class-rightmark");

// Each answer is a dot; dots that would lie on each other are stacked.
export function strip({ values, axis, log, unit, right, summary }) {
  if (!values.length && right === undefined) return none();
  const scale = new Axis(axis[0], axis[1], log);
  const x = (value) => SIDE + scale.share(value) * (WIDTH - 2 * SIDE);
  const stacks = new Map();
  const dots = values.map((value) => {
    const column = Math.round(x(value) / 14);
    const row = stacks.get(column) ?? 0;
    stacks.set(column, row + 1);
    return [x(value), row];
  });
  const tall = Math.max(3, ...stacks.values());
  const step = Math.min(14, 320 / tall);
  const base = tall * step + 24;
  const ticks = scale
    .ticks(8)
    .flatMap((value) => [
      svg("line", { x1: x(value), x2: x(value), y1: 6, y2: base, class: "class-tick" }),
      svg("text", { x: x(value), y: base + 24, "text-anchor": "middle", class: "class-scale" }, amount(value)),
    ]);
  const drawn = dots.map(([at, row]) => dot([at, base - 8 - row * step], 6, "class-dot"));
  const line = svg("line", { x1: SIDE, x2: WIDTH - SIDE, y1: base, y2: base, class: "class-axis" });
  const parts = right === undefined ? [] : [svg("line", { x1: x(right), x2: x(right), y1: 0, y2: base, class: "class-rightline" }), rightMark(x(right), 12, 9)];
  const title = svg("text", { x: WIDTH - SIDE, y: base + 46, "text-anchor": "end", class: "class-scale" }, unit ?? "");
  return frame(base + 54, summary, ...ticks, line, ...drawn, ...parts, title);
}

export function places({ scene, values, right = [], summary }) {
  const [west, south, east, north] = scene.edges;
  const scale = WIDTH / (east - west);
  const at = (point) => [(point[0] - west) * scale, (north - point[1]) * scale];
  const way = svg("path", { d: pathThrough(scene.line.map(at)), class: "class-way" });
  const spots = scene.dots.map((point) => dot(at(point), 4, "class-small-dot"));
  const names = scene.places.map(([x, y, name]) =>
    svg("text", { x: at([x, y])[0], y: at([x, y])[1] - 8, "text-anchor": "middle", class: "class-placename" }, name),
  );
  const given = values.map((point) => dot(at(point), 8, "class-dot class-faint"));
  const rights = right.map((point) => rightMark(at(point)[0], at(point)[1] - 13, 13));
  const edge = svg("rect", { width: WIDTH, height: (north - south) * scale, class: "class-edge" });
  return frame((north - south) * scale, summary, edge, way, ...spots, ...names, ...given, ...rights);
}

export function curves({ axes, values, middle, right, summary }) {
  const [across, up] = [new Axis(axes.x[0], axes.x.at(-1), axes.log_x), new Axis(axes.low, axes.high, axes.log)];
  const [left, bottom] = [90, 400];
  const x = (k) => left + across.share(axes.x[k]) * (WIDTH - left - SIDE);
  const y = (value) => bottom - Math.min(1, Math.max(0, up.share(value))) * (bottom - 16);
  const path = (heights, name) => svg("path", { d: pathThrough(heights.map((value, k) => [x(k), y(value)])), class: name });
  const ticks = up
    .ticks(6)
    .flatMap((value) => [
      svg("line", { x1: left, x2: WIDTH - SIDE, y1: y(value), y2: y(value), class: "class-tick" }),
      svg("text", { x: left - 8, y: y(value) + 6, "text-anchor": "end", class: "class-scale" }, amount(value)),
    ]);
  const every = Math.ceil(axes.labels.length / 10);
  const shown = axes.labels.map((label, k) =>
    k % every ? [] : svg("text", { x: x(k), y: bottom + 24, "text-anchor": "middle", class: "class-scale" }, label),
  );
  const middling = { "text-anchor": "middle", class: "class-scale" };
  const titles = [
    svg("text", { x: (left + WIDTH) / 2, y: bottom + 50, ...middling }, axes.x_title),
    svg("text", { x: 16, y: bottom / 2, transform: `rotate(-90 16 ${bottom / 2})`, ...middling }, axes.y_title),
  ];
  const drawn = [...values.map((one) => path(one, "class-curve")), middle ? path(middle, "class-middle") : [], right ? path(right, "class-rightcurve") : []];
  const legend = "Thin: each answer. Thick: the median of the class. Dashed, once the outcome is shown: the computed curve.";
  return h("div", {}, frame(bottom + 60, summary, ...ticks, ...shown.flat(), ...titles, ...drawn.flat()), h("p", { class: "class-small" }, legend));
}
