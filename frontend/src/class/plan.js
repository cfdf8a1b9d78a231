// A map of cells without tiles, for phones and board: everything is in metres, y to the north.
import { h, setAttributes, svg } from "../page/dom.js";
import { labelPlaces } from "./label_places.js";

const NAMED = 60; // a cell in the units in which names find their places

const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

// options: marks {truth, adversary, guesses}, belief; choose: called with a cell that was tapped or moved to by keys;
// reports: points with a label each, of which those with the label `strong` stand out.
export function plan(map, { choose = null, chosen = -1, truth = -1, adversary = -1, guesses = [], belief = null, reports = [], strong = "" } = {}) {
  const [left, low, right, high] = map.extent;
  const unit = map.cell_m;
  const x = (east) => (east - left) / unit;
  const y = (north) => (high - north) / unit;
  const frame = svg("svg", { viewBox: `0 0 ${(right - left) / unit} ${(high - low) / unit}`, class: "class-plan" });
  const cells = map.cells.map(([east, north], k) => cell(x(east) - 0.5, y(north) - 0.5, (belief ?? map.shades)[k], belief));
  frame.append(...cells, ...marks(map, x, y));
  frame.append(...guesses.map(([k, count]) => guessed(x(map.cells[k][0]), y(map.cells[k][1]), count)));
  if (adversary >= 0) frame.append(square(x(map.cells[adversary][0]), y(map.cells[adversary][1])));
  if (truth >= 0) frame.append(ring(x(map.cells[truth][0]), y(map.cells[truth][1])));
  frame.append(...map.places.flatMap(([name, east, north]) => place(name, x(east), y(north), x(right)))); // legible over the marks
  if (map.released) frame.append(cross(x(map.released[0]), y(map.released[1])));
  const at = reports.map(([label, east, north]) => [label, x(east), y(north)]);
  frame.append(...reported(at, strong, { left: x(map.corner[0]), right: x(right), top: 0, bottom: y(map.corner[1]) }));
  if (!choose) {
    setAttributes(frame, { role: "img", "aria-label": map.released ? "Map of cells with the released point" : "Map of cells" });
    return frame;
  }
  return choosable(frame, map, cells, choose, chosen);
}

function choosable(frame, map, cells, choose, chosen) {
  const said = h("p", { class: "class-small", role: "status" }, chosen < 0 ? "No cell chosen yet." : `Cell ${map.said[chosen]}`);
  let current = chosen;
  const pick = (k) => {
    if (current >= 0) cells[current].classList.remove("class-chosen");
    current = k;
    cells[k].classList.add("class-chosen");
    cells[k].parentNode.insertBefore(cells[k], cells[k].parentNode.querySelector("text, path"));
    said.textContent = `Cell ${map.said[k]}`;
    choose(k);
  };
  if (current >= 0) cells[current].classList.add("class-chosen");
  cells.forEach((one, k) => one.addEventListener("click", () => pick(k)));
  setAttributes(frame, { tabindex: 0, role: "application", "aria-label": "Map: tap a cell, or move with the arrow keys" });
  frame.addEventListener("keydown", (event) => {
    const step = KEYS[event.key];
    if (!step) return;
    event.preventDefault();
    const start = map.released ?? map.cells[Math.floor(map.cells.length / 2)];
    pick(current < 0 ? nearest(map, start) : beside(map, current, step));
  });
  return h("div", {}, frame, said);
}

function nearest(map, point) {
  const [east, north] = point;
  const far = map.cells.map((at) => Math.hypot(at[0] - east, at[1] - north));
  return far.indexOf(Math.min(...far));
}

// The cell one step away; the same cell if there is none.
function beside(map, k, [right, up]) {
  const [east, north] = map.cells[k];
  const aim = [east + right * map.cell_m, north + up * map.cell_m];
  const found = nearest(map, aim);
  return Math.hypot(map.cells[found][0] - aim[0], map.cells[found][1] - aim[1]) < map.cell_m / 2 ? found : k;
}

function cell(x, y, shade, belief) {
  const kind = belief ? "class-cell class-believed" : "class-cell";
  return svg("rect", { x, y, width: 1, height: 1, class: kind, "fill-opacity": (0.06 + 0.74 * shade).toFixed(3) });
}

function place(name, x, y, width) {
  const end = x > 0.7 * width;
  const text = svg("text", { x: end ? x - 0.15 : x + 0.15, y: y + 0.09, class: "class-name", "text-anchor": end ? "end" : "start" }, name);
  return [svg("circle", { cx: x, cy: y, r: 0.06, class: "class-spot" }), text];
}

// The letters of the columns below the cells and the numbers of the rows to their left, as cells are called by them.
function marks(map, x, y) {
  const [left, , right] = map.extent;
  const size = Math.max(0.36, (0.036 * (right - left)) / map.cell_m); // 13 pixels on a phone
  const [west, south] = [x(map.corner[0]), y(map.corner[1])];
  const mark = (text, at, attributes) => svg("text", { class: "class-markname", "font-size": size, ...at, ...attributes }, text);
  const few = (list) => list.filter((_, k) => k % Math.ceil(1.3 * size) === 0);
  return [
    ...few(map.columns).map(([letter, east]) => mark(letter, { x: x(east), y: south + 1.05 * size }, { "text-anchor": "middle" })),
    ...few(map.rows).map(([number, north]) => mark(number, { x: west - 0.3 * size, y: y(north) + 0.35 * size }, { "text-anchor": "end" })),
  ];
}

const cross = (x, y) => svg("path", { d: `M${x - 0.28} ${y - 0.28}l.56 .56m0 -.56l-.56 .56`, class: "class-released" });
// The reports of several timestamps: crosses with their labels, none of which covers a cross or another label if there is room.
function reported(reports, strong, frame) {
  const scaled = Object.fromEntries(Object.entries(frame).map(([side, value]) => [side, value * NAMED]));
  const marks = reports.map(([label, x, y]) => [label, x * NAMED, y * NAMED]);
  const taken = marks.map(([, x, y]) => [x, y, 0.1 * NAMED]);
  const places = labelPlaces(marks, taken, scaled).map(({ at, led }) => ({ at: at.map((value) => value / NAMED), led }));
  const lead = ([, x, y], { at, led }) => (led ? [svg("line", { x1: x, y1: y, x2: at[0], y2: at[1], class: "class-reportlead" })] : []);
  return [
    ...reports.flatMap((one, k) => lead(one, places[k])),
    ...reports.map(([label, x, y]) => small(x, y, label === strong)),
    ...reports.map(([label], k) => {
      const kind = label === strong ? "class-name class-strongname" : "class-name";
      return svg("text", { x: places[k].at[0], y: places[k].at[1] + 0.1, class: kind, "text-anchor": "middle" }, label);
    }),
  ];
}

function small(x, y, strong) {
  const size = strong ? 0.16 : 0.1;
  const d = `M${x - size} ${y - size}l${2 * size} ${2 * size}m0 ${-2 * size}l${-2 * size} ${2 * size}`;
  return svg("path", { d, class: strong ? "class-report class-strong" : "class-report" });
}

const ring = (x, y) => svg("circle", { cx: x, cy: y, r: 0.42, class: "class-truth" });
const square = (x, y) => svg("rect", { x: x - 0.4, y: y - 0.4, width: 0.8, height: 0.8, class: "class-adversary" });

function guessed(x, y, count) {
  const mark = svg("g", { class: "class-guesses" }, svg("circle", { cx: x, cy: y, r: 0.26 }));
  mark.append(svg("text", { x, y: y + 0.1, "text-anchor": "middle" }, String(count)));
  return mark;
}
