// Releases that lie off the map: arrows at its rim, one for each part of the rim, with how many lie that way and how far
// beyond it. Parts of a fixed size keep the arrows apart; within the side they stand clear of the track and its names.
import L from "leaflet";
import { write } from "../page/canvas.js";
import { h } from "../page/dom.js";
import { metres } from "../page/format.js";
import { PICTURE } from "../page/palette.js";
import { FONT, Taken } from "./names.js";

const INSET = { left: 6, right: 6, top: 44, bottom: 22 }; // pixels: clear of the buttons and of the degrees
const PART = { x: 130, y: 64 }; // pixels of the rim that one arrow stands for, along the map's width and height
const ROWS = 3; // rows of arrows that are tried along the top and the bottom, from the rim inwards
const STEP = 6; // pixels between two places that are tried for an arrow
const SEEN = 8; // pixels beyond the rim: part of a mark there is on the map
const FAR = 20; // times as far as the nearest: only the farthest is told

export class Rim {
  // below: what lies under the arrows. The track lies over them, so that no arrow covers a point.
  constructor(map, below) {
    this.map = map;
    this.arrows = [];
    this.element = h("div", { class: "lmdk-rim", "aria-hidden": "true" });
    below.after(this.element);
  }

  // points: { x, y } in pixels of the world, as view.at takes them; none: no arrows.
  // taken: the part of the map that the track and its names take; kept: boxes over which no arrow may lie.
  draw(view, points, { taken, size, kept = [] }) {
    L.DomUtil.setPosition(this.element, this.map.containerPointToLayerPoint([0, 0]));
    Object.assign(this.element.style, { width: `${view.size.x}px`, height: `${view.size.y}px` });
    let arrows = null;
    const clear = { taken, kept };
    for (let times = 1; points && !arrows && times <= 4; times *= 2) arrows = this.placed(view, points, clear, times * size, size);
    // A small map full of names has room for one count at each side, some way from the rim.
    if (points) arrows ??= this.placed(view, points, clear, 4 * size, size, { lines: 1, rows: ROWS });
    arrows ??= [];
    this.arrows = arrows;
    const key = JSON.stringify(arrows);
    if (key === this.key) return;
    this.key = key;
    this.element.replaceChildren(...arrows.map(arrowOf));
  }

  // Arrows for parts of the rim, this many times as wide as usual; null if they would overlap. lines: of words; rows: that are
  // tried along the top and the bottom.
  placed(view, points, { taken, kept }, times, size, { lines = 2, rows = 1 } = {}) {
    const free = new Taken(view.size, taken?.blocks);
    const others = new Taken(view.size);
    for (const box of kept) others.add(...box);
    const arrows = partsOf(view, points, times).map((part) => {
      const text = this.words(part).slice(0, lines);
      const place = placeOf(part, text, rows, view.size, free, others, size);
      return place && { name: part.name, turn: part.turn, text, ...place };
    });
    return arrows.every(Boolean) ? arrows : null;
  }

  words({ count, nearest, farthest }) {
    const on = (place) => this.map.containerPointToLatLng([place[0], place[1]]);
    const [near, far] = [nearest, farthest].map(({ from, to }) => this.map.distance(on(from), on(to)));
    if (count === 1) return [metres(near)];
    const [least, most] = [metres(near), metres(far)];
    const unit = most.slice(most.indexOf(" "));
    const start = least.endsWith(unit) ? least.slice(0, -unit.length) : least;
    const range = far > FAR * near ? `up to ${most}` : `${start} to ${most}`;
    return [`${count.toLocaleString("en")} points`, least === most ? most : range];
  }

  remove() {
    this.element.remove();
  }
}

// The parts of the rim beyond which points lie: where the arrow stands, where it shows, and the points' least and
// greatest distance.
function partsOf({ size, at }, points, times) {
  const centre = [size.x / 2, size.y / 2];
  const parts = new Map();
  for (let i = 0; i < points.x.length; i++) {
    const to = at(points, i);
    if (Number.isNaN(to[0]) || (to[0] >= -SEEN && to[1] >= -SEEN && to[0] <= size.x + SEEN && to[1] <= size.y + SEEN)) continue;
    const way = [to[0] - centre[0], to[1] - centre[1]];
    const side = sideOf(way, size);
    const from = centre.map((c, k) => c + way[k] * side.share);
    const place = along(side, from, size, times);
    const beyond = Math.hypot(to[0] - from[0], to[1] - from[1]);
    const part = parts.get(place.key) ?? { ...place, sum: 0, angle: [0, 0], count: 0 };
    parts.set(place.key, part);
    const length = Math.hypot(...way);
    part.angle = part.angle.map((a, k) => a + way[k] / length);
    part.sum += place.at;
    part.count += 1;
    if (!(part.nearest?.beyond <= beyond)) part.nearest = { from, to, beyond };
    if (!(part.farthest?.beyond >= beyond)) part.farthest = { from, to, beyond };
  }
  return [...parts.values()].map(({ angle, sum, count, ...part }) => {
    return { ...part, count, at: sum / count, turn: Math.round((Math.atan2(angle[1], angle[0]) * 180) / Math.PI) };
  });
}

// The side of the map through which a way from its centre leads, and the share of the way that lies on the map.
function sideOf(way, size) {
  const [dx, dy] = [way[0], way[1]];
  const [x, y] = [size.x / 2 / Math.abs(dx), size.y / 2 / Math.abs(dy)];
  if (x < y) return { name: dx < 0 ? "left" : "right", across: false, share: x };
  return { name: dy < 0 ? "top" : "bottom", across: true, share: y };
}

// The part of a side in which a place of the rim lies; start and end: of the side, clear of the buttons and the scale.
function along({ name, across }, place, size, times) {
  const ends = { left: [78, size.y - 58], right: [78, size.y - 58], top: [50, size.x - 6], bottom: [90, size.x - 6] };
  const [start, end] = ends[name];
  const parts = Math.max(1, Math.floor((end - start) / (times * (across ? PART.x : PART.y))));
  const at = place[across ? 0 : 1];
  const part = Math.max(0, Math.min(parts - 1, Math.floor(((at - start) / (end - start)) * parts)));
  return { name, across, key: `${name} ${part}`, at, start, end };
}

// Where an arrow with its words stands: apart from the others, over as little of the track and its names as can be, and
// then as near as can be to where it points; null where there is no place.
function placeOf({ name, across, at, start, end }, text, rows, size, free, others, larger) {
  const wide = larger * (30 + 7 * Math.max(...text.map((line) => line.length)));
  const high = larger * (4 + 14 * text.length);
  const [low, most] = [start, Math.max(start, end - (across ? wide : high))];
  const first = Math.max(low, Math.min(most, at - (across ? wide : high) / 2));
  const tried = [first];
  for (let k = STEP; k < most - low + STEP; k += STEP) tried.push(...[first - k, first + k].filter((v) => v >= low && v <= most));
  const boxes = (deep) =>
    tried.map((v) => {
      if (across) return [v, name === "top" ? larger * INSET.top + deep : size.y - INSET.bottom - high - deep];
      return [name === "left" ? INSET.left : size.x - INSET.right - wide, v];
    });
  const covers = (taken) => (box) => taken.count(box[0], box[1], box[0] + wide, box[1] + high);
  let apart = [];
  for (let row = 0; !apart.length && row < rows; row++) apart = boxes(row * high).filter((box) => !covers(others)(box));
  if (!apart.length) return null;
  const covered = apart.map(covers(free));
  const box = apart[covered.indexOf(Math.min(...covered))]; // the nearest of equals
  for (const taken of [free, others]) taken.add(box[0], box[1], box[0] + wide, box[1] + high);
  return { left: Math.round(box[0]), top: Math.round(box[1]), wide };
}

function arrowOf({ name, left, top, wide, turn, text }) {
  const head = h("i", { style: `transform:rotate(${turn}deg)` }, "➤");
  const words = h("span", {}, ...text.flatMap((line, k) => (k ? [h("br"), line] : [line])));
  return h("p", { class: `lmdk-rimarrow lmdk-rim-${name}`, style: `left:${left}px;top:${top}px;width:${wide}px` }, head, words);
}

// The same on the canvas of a picture.
export function drawArrows(context, arrows, size) {
  for (const { name, left, top, wide, turn, text } of arrows) {
    const [right, high] = [name === "right", size * (4 + 14 * text.length)];
    const look = { fillStyle: PICTURE.release, strokeStyle: PICTURE.panel, textBaseline: "middle" };
    text.forEach((line, k) => {
      const at = [left + (right ? wide - 22 * size : 22 * size), top + size * (9 + 14 * k)];
      write(context, line, at[0], at[1], { ...look, font: FONT("bold", 12, size), textAlign: right ? "right" : "left" });
    });
    context.save();
    context.translate(left + (right ? wide - 10 * size : 10 * size), top + high / 2);
    context.rotate((turn * Math.PI) / 180);
    write(context, "➤", 0, 0, { ...look, font: FONT("bold", 15, size), textAlign: "center" });
    context.restore();
  }
}
