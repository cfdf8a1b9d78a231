// The release on the map: a cross for each reported place and a thin line to the true one. Beyond a thousand or so, lines
// would be a haze and crosses a long path to rasterise at every move of a slider: then dots are written as pixels and a
// few hundred lines represent all of them. A line that would be mostly off the map is left out: many of them hide the track,
// and an arrow at the edge says where it leads.
import { paint } from "../page/canvas.js";
import { rgb } from "../page/contrast.js";

const MANY = 1500;
const LINES = 400; // lines that represent many

// Without a truth, as in a saved report, there are no lines.
export function drawRelease(context, view, { truth, released, colours }) {
  const { at, shows, size } = view;
  const n = released.x.length;
  if (n > MANY) drawDots(context, view, released, colours.release);
  context.beginPath();
  for (let i = 0; truth && i < n; i += Math.ceil(n / (n > MANY ? LINES : n))) {
    const [[x, y], [a, b]] = [at(released, i), at(truth, i)];
    if (Number.isNaN(x) || shareOn([a, b], [x, y], size) < 0.5) continue;
    context.moveTo(a, b);
    context.lineTo(x, y);
  }
  context.globalAlpha = n > MANY ? 0.3 : n > 300 ? 0.5 : 1;
  paint(context, { stroke: colours.link, width: 0.7 });
  context.globalAlpha = 1;
  if (n > MANY) return;
  const s = n > 300 ? 2 : 4;
  context.beginPath();
  for (let i = 0; i < n; i++) {
    const [x, y] = at(released, i);
    if (Number.isNaN(x) || !shows(x, y)) continue;
    context.moveTo(x - s, y - s);
    context.lineTo(x + s, y + s);
    context.moveTo(x - s, y + s);
    context.lineTo(x + s, y - s);
  }
  paint(context, { stroke: colours.release, width: 1.6 });
}

// The release of the pinned option: an upright cross for each of its places, in its own colour; some stand for many.
export function drawPinned(context, { at, shows }, { pinned, colours }) {
  const n = pinned.x.length;
  const s = n > 300 ? 2.5 : 5;
  context.beginPath();
  for (let i = 0; i < n; i += Math.ceil(n / MANY)) {
    const [x, y] = at(pinned, i);
    if (Number.isNaN(x) || !shows(x, y)) continue;
    context.moveTo(x - s, y);
    context.lineTo(x + s, y);
    context.moveTo(x, y - s);
    context.lineTo(x, y + s);
  }
  paint(context, { stroke: colours.pinned, width: 1.8 });
}

// The share of a line that lies on the map (Liang and Barsky).
function shareOn([a, b], [x, y], size) {
  let [from, to] = [0, 1];
  for (const [start, way, most] of [
    [a, x - a, size.x],
    [b, y - b, size.y],
  ]) {
    if (way === 0 && (start < 0 || start > most)) return 0;
    if (way === 0) continue;
    const [enters, leaves] = way > 0 ? [-start / way, (most - start) / way] : [(most - start) / way, -start / way];
    [from, to] = [Math.max(from, enters), Math.min(to, leaves)];
  }
  return Math.max(0, to - from);
}

// Dots of a few pixels, denser where more of them lie.
function drawDots(context, { at, size }, points, colour) {
  const ratio = context.getTransform().a;
  const [width, height] = [Math.round(size.x * ratio), Math.round(size.y * ratio)];
  if (!width || !height) return; // the map is not laid out yet, or no longer
  const image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  const [r, g, b] = rgb(colour);
  const paint = (alpha) => ((alpha << 24) | (b << 16) | (g << 8) | r) >>> 0; // little-endian
  const [once, twice] = [paint(150), paint(230)];
  const side = Math.max(2, Math.round(2 * ratio));
  for (let i = 0; i < points.x.length; i++) {
    const place = at(points, i);
    const [x, y] = [Math.round(place[0] * ratio), Math.round(place[1] * ratio)];
    if (!(x >= 0 && y >= 0 && x < width - side && y < height - side)) continue;
    for (let k = 0; k < side; k++) {
      const row = (y + k) * width + x;
      for (let j = row; j < row + side; j++) pixels[j] = pixels[j] ? twice : once;
    }
  }
  context.putImageData(image, 0, 0);
}
