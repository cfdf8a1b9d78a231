// A small map of a track and a release, on the card of a setting: drawn by the code of the large one, without Leaflet and
// streets, always around the whole track, so that several have the same scale.
import { sized } from "../page/canvas.js";
import { drawCells, drawMarks } from "./cells.js";
import { drawFound, placedFound } from "./found.js";
import { project, unwrap } from "./mercator.js";
import { drawRelease } from "./release_canvas.js";
import { seenAt, squared } from "./still.js";
import { drawGraticule, drawTrack, pixelsOf } from "./track_canvas.js";

const AROUND = 24; // pixels around the track
const NEAREST = 2 ** 16; // pixels for each of the world
const MARGIN = 8; // pixels around cells
const SMALL = 0.8; // of the letters
const NOWHERE = { left: 1e9, right: 0, top: 1e9, bottom: 0 }; // no degrees are written

// latitudes, longitudes: the true track; released: [latitudes, longitudes]; circle: [latitude, longitude, radius] or null
export function drawSmallMap(canvas, { latitudes, longitudes, released, landmarks, circle }) {
  const size = { x: canvas.parentElement.clientWidth, y: canvas.parentElement.clientHeight };
  if (size.x < 2 * AROUND || size.y < 2 * AROUND) return;
  const context = sized(canvas, size.x, size.y);
  const unwrapped = unwrap(longitudes);
  const truth = project(latitudes, unwrapped);
  const view = around(truth, size);
  const none = { degrees: [], names: [], places: { x: [], y: [], text: [] }, proposed: [], dummies: [] };
  const seen = { ...seenAt(canvas), ...none, size: SMALL, truth, landmarks, released: project(released[0], unwrap(released[1], unwrapped)) };
  drawGraticule(context, view, seen);
  drawRelease(context, view, seen);
  drawTrack(context, view, seen);
  if (!circle) return;
  const [latitude, longitude, radius_m, near] = circle;
  const found = { ...project([latitude], unwrap([longitude], [unwrapped[0]])), marks: [{ latitude, radius_m, near }] };
  const pixels = () => pixelsOf(view, latitude, radius_m);
  drawFound(context, placedFound(context, view, { found, taken: null, size: SMALL, unnamed: true }, pixels), seen);
}

function around({ x, y }, size) {
  const ends = (values) => [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
  const [[west, east], [north, south]] = [ends(x), ends(y)];
  const scale = Math.min((size.x - 2 * AROUND) / (east - west), (size.y - 2 * AROUND) / (south - north), NEAREST);
  const [left, top] = [(scale * (west + east) - size.x) / 2, (scale * (north + south) - size.y) / 2];
  const at = (points, i) => [points.x[i] * scale - left, points.y[i] * scale - top];
  return { size, scale, left, top, at, clear: NOWHERE, shows: (a, b) => a > -20 && b > -20 && a < size.x + 20 && b < size.y + 20 };
}

// squares: column and row of each cell, one after the other; values and shown: as on the map of the page
export function drawSmallCells(canvas, { squares, names, values, shown }) {
  const { clientWidth: wide, clientHeight: high } = canvas.parentElement;
  if (wide < 4 * MARGIN || high < 4 * MARGIN) return;
  const pairs = names.map((_, k) => [squares[2 * k], squares[2 * k + 1]]);
  const rows = Math.max(...pairs.map(([, row]) => row)) + 1;
  const { corners, view, height } = squared(pairs, wide - 2 * MARGIN, (high - 2 * MARGIN) / rows);
  const context = sized(canvas, wide, high);
  context.translate(MARGIN, (high - height) / 2);
  const seen = { ...seenAt(canvas), cells: { ...corners, names }, values, shown, cursor: -1, unnamed: true };
  drawCells(context, view, seen);
  drawMarks(context, view, seen);
}
