// The two places of a secret over time: a full and an empty square, with a name where they have one, and a line between them.
import { paint, write } from "../page/canvas.js";
import { FONT } from "./names.js";

const SIDE = 12; // pixels

// secret: in world pixels, with names, which may be empty
export function drawSecret(context, { at }, { secret, colours, size: larger = 1 }) {
  const places = secret.text.map((_, k) => at(secret, k));
  context.beginPath();
  for (const [k, [x, y]] of places.entries()) k ? context.lineTo(x, y) : context.moveTo(x, y);
  paint(context, { stroke: colours.ink, width: 1.5, dash: [3, 4] });
  for (const [k, [x, y]] of places.entries()) {
    context.beginPath();
    context.rect(x - SIDE / 2, y - SIDE / 2, SIDE, SIDE);
    paint(context, { fill: k ? colours.paper : colours.ink, stroke: colours.ink, width: 2 });
    const below = y + SIDE / 2 + 15 * larger;
    write(context, secret.text[k], x, k ? below : y - SIDE, {
      fillStyle: colours.ink,
      strokeStyle: colours.paper,
      font: FONT("bold", 13, larger),
      textAlign: "center",
    });
  }
}
