// Where lasting places are found, each with its name; around the nearest the circle that contains half of all draws: drawn over
// the track.
import { disc, paint, write } from "../page/canvas.js";
import { FONT, spotBeside, Taken } from "./names.js";
import { guesses, STAR } from "./practice.js";

const LEAST = 13; // pixels: a smaller circle would lie under the marks
const OTHER = 6; // pixels of the ring around a place that is not the nearest
const MOST = 1e5; // pixels: no canvas draws a larger one
const BUTTONS = ({ x }, larger) => [
  [x, 44 * larger], // pixels that they take above, and on the left
  [48 * larger, 84 * larger],
];

// Where the circles and their names stand, what of the map is taken then, and the boxes of both. pixels(mark): the radius of
// its circle; unnamed: whether they have no names, on a small map. No name lies over another one: the nearest is named always,
// the others where there is room. clear: what no name may cover, even where there is no better place.
export function placedFound(context, view, { found, taken, practice = null, size: larger, unnamed = false }, pixels) {
  const [high, font] = [15 * larger, FONT("bold", 13, larger)];
  const [free, clear, more] = [new Taken(view.size, taken?.blocks), new Taken(view.size), new Taken(view.size, taken?.blocks)];
  for (const [right, below] of BUTTONS(view.size, larger)) for (const blocks of [free, clear]) blocks.add(0, 0, right, below);
  const [boxes, marks] = [/** @type {number[][]} */ ([]), /** @type {any[]} */ ([])];
  const keep = (...box) => {
    boxes.push(box);
    for (const blocks of [free, clear, more]) blocks.add(...box);
  };
  for (const [x, y] of practice ? guesses(view, practice) : []) for (const blocks of [free, clear, more]) blocks.add(x - STAR, y - STAR, x + STAR, y + STAR);
  for (const [k, { radius_m, near, name, latitude, distance }] of found.marks.entries()) {
    const [x, y] = view.at(found, k);
    const radius = k ? OTHER : Math.max(pixels({ latitude, radius_m }), LEAST);
    if (radius > MOST) continue;
    const mark = { circle: { x, y, radius }, near, name: /** @type {any} */ (null) };
    marks.push(mark);
    if (unnamed) continue;
    const text = `${name}${practice ? " (release)" : ""}, ${distance}`; // a practice has its own guess
    context.font = font;
    const width = context.measureText(text).width;
    const beside = { size: view.size, width, height: high, radius: radius - 3 };
    const spot = spotBeside([x, y], beside, free) ?? spotBeside([x, y], beside, clear);
    const [left, top] = spot ?? [x + radius + 5, Math.max(y - high / 2, 46 * larger)];
    const around = k ? OTHER : LEAST;
    if (spot || !k) {
      mark.name = { text, left, top: top + (11 / 14) * high, font };
      keep(left - 2, top, left + width + 2, top + high);
    }
    keep(x - around, y - around, x + around, y + around);
  }
  return { taken: more, clear, boxes, marks };
}

// Red like the answer where a place is found; far from it, quiet.
export function drawFound(context, /** @type {any} */ { marks }, { colours }) {
  for (const { circle, near, name } of marks) {
    const tone = near ? colours.badline : colours.quiet;
    disc(context, circle.x, circle.y, circle.radius);
    paint(context, { stroke: colours.paper, width: 5 });
    paint(context, { stroke: tone, width: 2.5 });
    if (name) write(context, name.text, name.left, name.top, { fillStyle: tone, strokeStyle: colours.paper, font: name.font, textAlign: "left" });
  }
}
