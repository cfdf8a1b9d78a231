// The spreads of a class: how far off a reader is, across, and an attacker, up; with the best ones, and those of schemes.
import { h, svg } from "../page/dom.js";
import { amount } from "../page/format.js";
import { Axis } from "../question/axis.js";
import { diamond, dot, pathThrough } from "../question/scene.js";

const WIDTH = 1000;
const HEIGHT = 560;
const LEFT = 90;
const BOTTOM = 490;
const RIGHT = 20;
const LEGEND = "Each dot is a spread of the class; the thick line is their frontier. Farther up and to the left is better.";
const BEST = " Dashed: the best plan for several losses, one of them with the budget of the class.";

function ends(values) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = 0.08 * (high - low) || 1;
  return [Math.max(0, low - room), high + room];
}

export function frontier({ class: spreads, frontier: kept, best, marks }, summary) {
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
    svg("text", { x: 20, y: BOTTOM / 2, transform: `rotate(-90 20 ${BOTTOM / 2})`, ...scale }, "attacker off by, m"),
  ];
  const clip = svg("clipPath", { id: "class-frontier" }, svg("rect", { x: LEFT, y: 0, width: WIDTH - LEFT - RIGHT, height: BOTTOM }));
  const line = (points, kind) => svg("path", { d: pathThrough(points.map(at)), class: kind, "clip-path": "url(#class-frontier)" });
  const lines = [line(best, "class-rightcurve"), ...(kept.length > 1 ? [line(kept, "class-middle")] : [])];
  const dots = spreads.map((point) => dot([x(point[0]), y(point[1])], 7, "class-dot class-faint"));
  const frame = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "class-bars", role: "img", "aria-label": summary };
  return h(
    "div",
    {},
    svg("svg", frame, clip, ...ticks, ...titles, ...lines, ...dots, ...named(marks, x, y)),
    h("p", { class: "class-small" }, LEGEND + (best.length ? BEST : "")),
  );
}

// Diamonds with their names; a name that would lie over one before it goes below.
function named(marks, x, y) {
  const taken = [];
  return marks.flatMap(([name, reader, attacker]) => {
    const [left, top] = [x(reader), y(attacker)];
    const end = left > 0.75 * WIDTH;
    let line = top + 7;
    while (taken.some(([other, height]) => Math.abs(other - left) < 170 && Math.abs(height - line) < 24)) line += 24;
    taken.push([left, line]);
    const text = { x: end ? left - 14 : left + 14, y: line, class: "class-barname", "text-anchor": end ? "end" : "start" };
    return [diamond([left, top], 9, "class-rightmark"), svg("text", text, name)];
  });
}
