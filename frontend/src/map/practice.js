// What a practice of today publishes, its zone, and where an attacker looks: under the track, whose points it would hide.
import { disc, paint, star, write } from "../page/canvas.js";
import { FONT, spotBeside, Taken } from "./names.js";
import { pixelsOf } from "./track_canvas.js";

const HALO = 4; // pixels around a published point
const GUESS = "guess (practice)";
export const STAR = 11; // pixels from the middle of the guess to its tips
const LEAST = 3; // pixels of a cell: a smaller one would not be seen

// published, cells, zones, guess: in world pixels; latitudes: of zones; cell: metres to the east and to the north
export function drawPractice(context, view, { practice, colours }) {
  const { published, cells, zones, radii, latitude, cell } = practice;
  context.globalAlpha = 0.35;
  for (let i = 0; i < published.x.length; i++) {
    const [x, y] = view.at(published, i);
    if (!view.shows(x, y)) continue;
    disc(context, x, y, HALO);
    paint(context, { fill: colours.quiet });
  }
  context.globalAlpha = 0.5;
  const [wide, high] = cell.map((metres) => Math.max(pixelsOf(view, latitude, metres), LEAST));
  for (let i = 0; i < cells.x.length; i++) {
    const [x, y] = view.at(cells, i);
    if (view.shows(x, y)) paint(context, { fill: colours.badline }, x - wide / 2, y - high / 2, wide, high);
  }
  context.globalAlpha = 1;
  for (const [k, radius] of radii.entries()) {
    const [x, y] = view.at(zones, k);
    disc(context, x, y, pixelsOf(view, latitude, radius));
    paint(context, { stroke: colours.paper, width: 4 });
    paint(context, { stroke: colours.ink, width: 1.8, dash: [7, 5] });
  }
}

// Where the guess is in the container.
export const guesses = (view, { guess }) => Array.from(guess.x, (_, k) => view.at(guess, k));

// The guess, over everything, with its name where there is room: it is not what averaging a release finds. clear: what its name
// covers never, such as the names of the circles.
export function drawGuess(context, view, { practice, colours, size: larger = 1 }, { taken = null, clear = new Taken(view.size) }) {
  for (const [x, y] of guesses(view, practice)) {
    star(context, x, y, STAR);
    paint(context, { fill: colours.badline, stroke: colours.paper, width: 1.5 });
    const [font, high] = [FONT("bold", 13, larger), 15 * larger];
    context.font = font;
    const beside = { size: view.size, width: context.measureText(GUESS).width, height: high, radius: STAR };
    const spot = spotBeside([x, y], beside, taken) ?? spotBeside([x, y], beside, clear);
    if (spot) write(context, GUESS, spot[0], spot[1] + (11 / 14) * high, { fillStyle: colours.badline, strokeStyle: colours.paper, font, textAlign: "left" });
  }
}
