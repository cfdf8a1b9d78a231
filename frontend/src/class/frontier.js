// The spreads of a class: how far off a reader is, across, and how many landmarks stay hidden, up; with those of schemes.
import { h, svg } from "../page/dom.js";
import { amount, metres } from "../page/format.js";
import { Axis } from "../question/axis.js";
import { diamond, dot, pathThrough } from "../question/scene.js";
import { labelPlaces } from "./label_places.js";

const WIDTH = 1000;
const HEIGHT = 560;
const LEFT = 90;
const BOTTOM = 490;
const RIGHT = 20;
const STEP = 10; // between the points of a line that names keep free
const LEGEND = "Each dot is a spread of the class; the thick line is their frontier. Farther up and to the left is better; “Nothing” is no release at all.";

function ends(values) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = 0.08 * (high - low) || 1;
  return [Math.max(0, low - room), high + room];
}

export function frontier({ class: spreads, frontier: kept, marks, nothing, of }, summary) {
  const near = [...spreads, ...marks.map(([, x, y]) => [x, y])];
  const [across, up] = [0, 1].map((k) => new Axis(...ends(near.map((point) => point[k])), false));
  const x = (value) => LEFT + across.share(value) * (WIDTH - LEFT - RIGHT);
  const y = (value) => BOTTOM - up.share(value) * (BOTTOM - 16);
  const at = (point) => [x(point[0]), y(point[1])];
  const scale = { class: "class-scale", "text-anchor": "middle" };
  const ticks = [
    ...across
      .ticks(7)
      .flatMap((value) => [
        svg("line", { x1: x(value), x2: x(value), y1: 10, y2: BOTTOM, class: "class-tick" }),
        svg("text", { x: x(value), y: BOTTOM + 24, ...scale }, amount(value)),
      ]),
    ...up
      .ticks(6)
      .flatMap((value) => [
        svg("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value), class: "class-tick" }),
        svg("text", { x: LEFT - 8, y: y(value) + 6, class: "class-scale", "text-anchor": "end" }, amount(value)),
      ]),
  ];
  const titles = [
    svg("text", { x: (LEFT + WIDTH) / 2, y: BOTTOM + 54, ...scale }, "reader off by, m"),
    svg("text", { x: 20, y: BOTTOM / 2, transform: `rotate(-90 20 ${BOTTOM / 2})`, ...scale }, `landmarks not found, of ${of}`),
  ];
  const line = kept.map(at);
  const lines = kept.length > 1 ? [svg("path", { d: pathThrough(line), class: "class-middle" })] : [];
  const dots = spreads.map((point) => dot(at(point), 7, "class-dot class-faint"));
  const placed = [...marks.map(([name, ...point]) => [name, ...at(point)]), atEdge(nothing, x(nothing[1]), y(nothing[2]))];
  const taken = [...spreads.map((point) => [...at(point), 8]), ...placed.map(([, left, top]) => [left, top, 11]), ...along(line)];
  const frame = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "class-bars", role: "img", "aria-label": summary };
  return h("div", {}, svg("svg", frame, ...ticks, ...titles, ...lines, ...named(placed, taken), ...dots), h("p", { class: "class-small" }, LEGEND));
}

// No release is farther from a reader than what is drawn; then its mark stands at the edge and says how far.
function atEdge([name, off], left, top) {
  const beyond = left > WIDTH - RIGHT;
  return [beyond ? `${name} → ${metres(off)}` : name, Math.min(left, WIDTH - RIGHT), Math.max(top, 16)];
}

function along(line) {
  return line.slice(1).flatMap(([right, bottom], k) => {
    const [left, top] = line[k];
    const steps = Math.ceil(Math.hypot(right - left, bottom - top) / STEP);
    return Array.from({ length: steps }, (_, j) => [left + ((right - left) * j) / steps, top + ((bottom - top) * j) / steps, 3]);
  });
}

// Diamonds with their names, each beside its diamond or at the end of a thin line.
function named(placed, taken) {
  const places = labelPlaces(placed, taken, { left: LEFT, right: WIDTH, top: 0, bottom: BOTTOM });
  const lead = ([, left, top], { at, led }) => (led ? [svg("line", { x1: left, y1: top, x2: at[0], y2: at[1], class: "class-lead" })] : []);
  return [
    ...placed.flatMap((mark, k) => lead(mark, places[k])),
    ...placed.map(([, left, top]) => diamond([left, top], 9, "class-rightmark")),
    ...placed.map(([name], k) => svg("text", { x: places[k].at[0], y: places[k].at[1] + 7, class: "class-barname", "text-anchor": "middle" }, name)),
  ];
}
