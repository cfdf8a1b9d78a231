// A small chart of a series and its release, on the card of a setting: drawn by what draws the large one.
import { sized } from "../page/canvas.js";
import { coloursOf } from "../page/theme.js";
import { axes, drawAxes, endsOf } from "./series_axes.js";
import { beyond, drawDots, drawLine, SCATTERED } from "./series_line.js";

const ABOVE = 22; // pixels over the values, for their unit

export function drawSmallSeries(canvas, { track, values }, released) {
  const size = { width: canvas.parentElement.clientWidth, height: canvas.parentElement.clientHeight };
  if (size.width < 90 || size.height < 90 || !track.time.length || !values) return;
  const answers = track.series.kind === "answers";
  const scale = axes(canvas.parentElement, size, [0, track.n - 1], endsOf(values), answers, { above: answers ? ABOVE + 6 : ABOVE });
  const colour = coloursOf(canvas);
  /** @type {any} */
  const colours = new Proxy({}, { get: (_, name) => colour(name) });
  const context = sized(canvas, size.width, size.height);
  drawAxes(context, scale, { track, colours });
  const { left, top, right, bottom } = scale;
  context.save();
  context.beginPath();
  context.rect(left, top, right - left, bottom - top);
  context.clip();
  const { above, below, of } = beyond(released, scale);
  if (!answers && above + below > SCATTERED * of) drawDots(context, released, scale, colours.release);
  else drawLine(context, released, scale.released, scale, answers, { stroke: colours.release, width: 1 });
  drawLine(context, values, scale.truth, scale, answers, { stroke: colours.regular, width: 1.5 });
  context.restore();
}
