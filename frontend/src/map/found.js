// Where averaging finds the main place, with the circle that contains half of all draws: drawn over the track.
import { disc, paint, write } from "../page/canvas.js";
import { metres } from "../page/format.js";
import { FONT, spotBeside, Taken } from "./names.js";

const LEAST = 13; // pixels: a smaller circle would lie under the marks
const MOST = 1e5; // pixels: no canvas draws a larger one
const BUTTONS = ({ x }, larger) => [
  [x, 44 * larger], // pixels that they take above, and on the left
  [48 * larger, 84 * larger],
];
// Red like the answer where the place is found; far from it, quiet, with how far.
const NEAR = "found here";
const far = (radius) => `within ${metres(radius)}`;

// Where the circle and its name stand, what of the map is taken then, and the boxes of both. pixels: the radius of the circle;
// unnamed: whether it has no name, on a small map.
export function placedFound(context, view, { found, taken, size: larger, unnamed = false }, pixels) {
  const [x, y] = view.at(found, 0);
  const [radius, high, font] = [Math.max(pixels, LEAST), 15 * larger, FONT("bold", 13, larger)];
  if (radius > MOST) return { taken };
  if (unnamed) return { taken, near: found.near, circle: { x, y, radius } };
  const text = found.near ? NEAR : far(found.radius_m);
  context.font = font;
  const width = context.measureText(text).width;
  const free = new Taken(view.size, taken?.blocks);
  for (const [right, below] of BUTTONS(view.size, larger)) free.add(0, 0, right, below);
  const beside = { size: view.size, width, height: high, radius: radius - 3 };
  const clear = new Taken(view.size); // of the buttons alone
  for (const [right, below] of BUTTONS(view.size, larger)) clear.add(0, 0, right, below);
  const [left, top] = spotBeside([x, y], beside, free) ?? spotBeside([x, y], beside, clear) ?? [x + radius + 5, Math.max(y - high / 2, 46 * larger)];
  const more = new Taken(view.size, taken?.blocks);
  const boxes = [
    [left - 2, top, left + width + 2, top + high],
    [x - LEAST, y - LEAST, x + LEAST, y + LEAST],
  ];
  for (const box of boxes) more.add(...box);
  return { taken: more, boxes, circle: { x, y, radius }, near: found.near, name: { text, left, top: top + (11 / 14) * high, font } };
}

export function drawFound(context, /** @type {any} */ { circle, near, name }, { colours }) {
  if (!circle) return;
  const tone = near ? colours.badline : colours.quiet;
  disc(context, circle.x, circle.y, circle.radius);
  paint(context, { stroke: colours.paper, width: 5 });
  paint(context, { stroke: tone, width: 2.5 });
  if (name) write(context, name.text, name.left, name.top, { fillStyle: tone, strokeStyle: colours.paper, font: name.font, textAlign: "left" });
}
