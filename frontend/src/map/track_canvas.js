// What a map of a track is made of, each drawn on a canvas: degrees, the track and its landmarks, what is looked at. Both the
// map of the page (canvas_layer.js) and that of a saved report (landmarks/still.js) are drawn by these, the latter without Leaflet.
import { diamond, disc, paint, path, write } from "../page/canvas.js";
import { endsOfSpan, pointsWithin } from "../page/span.js";
import { latitudeOf, longitudeOf, project, WORLD } from "./mercator.js";
import { FONT, writeNames } from "./names.js";

const EQUATOR_M = 2 * Math.PI * 6378137; // Web Mercator's own radius

// Gives where its degrees are written: left, top and width of each.
export function drawGraticule(context, { at, size, scale, left, top, clear }, { colours, size: larger }) {
  const written = [];
  const labels = [];
  const font = FONT("", larger > 1 ? 12 : 10.5, larger); // on a projector they are read from far away
  const say = (text, x, y) => {
    labels.push([text, x, y]);
    written.push([x, y - 10 * larger, context.measureText(text).width]);
  };
  const [west, east] = [left, left + size.x].map((x) => longitudeOf(x / scale));
  const [north, south] = [top, top + size.y].map((y) => latitudeOf(y / scale));
  const place = (latitude, longitude) => at(project([latitude], [longitude]), 0);
  const step = graticuleStep(east - west);
  const digits = Math.max(0, Math.ceil(-Math.log10(step)));
  context.font = font;
  context.beginPath();
  const eachLine = (from, to, draw) => {
    for (let k = Math.ceil(from / step); k * step <= to && k < Math.ceil(from / step) + 40; k++) draw(k * step);
  };
  eachLine(west, east, (longitude) => {
    const x = Math.round(place(0, longitude)[0]) + 0.5;
    context.moveTo(x, 0);
    context.lineTo(x, size.y);
    const shown = ((((longitude + 180) % 360) + 360) % 360) - 180;
    // below, where there are no buttons; on the page clear of the scale bar on the left and the attribution on the right
    const text = `${Math.abs(shown).toFixed(digits)}° ${shown < 0 ? "W" : "E"}`;
    if (x > clear.left && x < size.x - clear.right) say(text, x + 3, size.y - 6);
  });
  eachLine(Math.max(-85, south), Math.min(85, north), (latitude) => {
    const y = Math.round(place(latitude, 0)[1]) + 0.5;
    context.moveTo(0, y);
    context.lineTo(size.x, y);
    // clear of the zoom buttons in the corner above and the scale bar below
    if (y > clear.top && y < size.y - clear.bottom) {
      say(`${Math.abs(latitude).toFixed(digits)}° ${latitude < 0 ? "S" : "N"}`, 3, y - 3);
    }
  });
  paint(context, { stroke: colours.grid });
  const look = { fillStyle: colours.quiet, strokeStyle: colours.panel, font, textAlign: "left" };
  for (const [text, x, y] of labels) write(context, text, x, y, look);
  return written;
}

function graticuleStep(span) {
  const rough = span / 6;
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((k) => k * power).find((s) => s >= rough) ?? 10 * power;
}

// The public box: thin and dashed.
export function drawRegion(context, { at }, { region, colours }) {
  const [[left, bottom], [right, top]] = [at(region, 0), at(region, 1)];
  paint(context, { stroke: colours.quiet, width: 1, dash: [6, 4] }, left, top, right - left, bottom - top);
}

// Points joined in order of time.
export function drawJoined(context, { at }, points, look) {
  const n = points.x.length;
  context.beginPath();
  let [lastX, lastY] = [NaN, NaN];
  for (let i = 0; i < n; i++) {
    const [x, y] = at(points, i);
    // less than a pixel on from the last corner shows nothing
    if (i && i < n - 1 && Math.abs(x - lastX) < 1 && Math.abs(y - lastY) < 1) continue;
    context.lineTo(x, y);
    [lastX, lastY] = [x, y];
  }
  paint(context, look);
}

export function drawTrack(context, view, seen) {
  const { truth, colours, span = null } = seen;
  const [first, last] = endsOfSpan(span, truth.x.length);
  const n = last - first + 1;
  const isShown = (i) => i >= first && i <= last;
  if (span) drawJoined(context, view, truth, { stroke: colours.grid, width: 1 }); // where the rest of it goes
  drawJoined(context, view, pointsWithin(truth, span), { stroke: colours.track, width: 1.5 });

  const taken = thinner(view.size);
  const radius = n > 3000 ? 1.7 : n > 300 ? 2.5 : 5;
  context.beginPath();
  for (let i = first; i <= last; i++) {
    const [x, y] = view.at(truth, i);
    if (!view.shows(x, y) || taken(x, y)) continue;
    context.moveTo(x + radius, y);
    context.arc(x, y, radius, 0, 2 * Math.PI);
  }
  paint(context, { fill: colours.regular, stroke: n <= 300 && colours.paper });

  seen.taken = writeNames(context, view, { ...seen, isShown }, radius + 2);
  const mark = (i, r, look) => {
    if (!isShown(i)) return;
    diamond(context, ...view.at(truth, i), r);
    paint(context, look);
  };
  for (const i of seen.proposed) mark(i, 11, { stroke: colours.landmark, width: 2.5 });
  for (const i of seen.dummies) mark(i, 9, { fill: colours.paper, stroke: colours.landmark, width: 2.5 });
  for (const i of seen.landmarks) mark(i, 9, { fill: colours.landmark, stroke: colours.ink, width: 1.5 });
}

// Says whether a pixel block already holds a mark.
function thinner(size) {
  const columns = Math.ceil(size.x / 2) + 22;
  const taken = new Uint8Array(columns * (Math.ceil(size.y / 2) + 22));
  return (x, y) => {
    const cell = (Math.floor(y / 2) + 10) * columns + Math.floor(x / 2) + 10;
    if (taken[cell]) return true;
    taken[cell] = 1;
    return false;
  };
}

// How many pixels a length in metres is at a latitude.
export const pixelsOf = ({ scale }, latitude, metres) => (metres * WORLD * scale) / (EQUATOR_M * Math.cos((latitude * Math.PI) / 180));

// The radius of the 95 % circle around a timestamp, in pixels.
export function circleOf(view, { radius95, latitudes }, i) {
  return pixelsOf(view, latitudes[i], radius95?.[i] || 0);
}

// A circle that is wider than the map would be a tint of all of it.
export const widerThan = ({ x, y }, radius) => 2 * radius > Math.max(x, y);

export function drawHovered(context, view, seen) {
  const { truth, released, showRelease, hovered: i, colours } = seen;
  const { at, size } = view;
  const [x, y] = at(truth, i);
  const radius = circleOf(view, seen, i);
  if (radius > 0 && radius < 1e5) {
    disc(context, x, y, radius);
    paint(context, { fill: widerThan(size, radius) ? null : colours.circle, stroke: colours.ink, width: 1.5, dash: [6, 4] });
  }
  if (released && showRelease && !Number.isNaN(released.x[i])) {
    const [a, b] = at(released, i);
    path(context, x, y, a, b);
    paint(context, { stroke: colours.ink, width: 2 });
    paint(context, { stroke: colours.release, width: 2 }, a - 6, b - 6, 12, 12);
  }
  disc(context, x, y, 13);
  paint(context, { stroke: colours.ink, width: 2.5 });
}

export function drawBox(context, { box: { x0, y0, x1, y1 }, colours }) {
  paint(context, { fill: colours.circle, stroke: colours.landmark, width: 1.5, dash: [4, 3] }, x0, y0, x1 - x0, y1 - y0);
}
