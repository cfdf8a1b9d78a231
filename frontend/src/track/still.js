// A release, a released series and beliefs about cells as a saved report shows them, and a sample's track in a lesson, drawn by
// what draws them on the page. True places are only in a file for their owner, or a sample's, which are nobody's.
import { drawCells } from "../map/cells.js";
import { drawFound, placedFound } from "../map/found.js";
import { besideOf, drawBelieved, drawHeat } from "../map/heat.js";
import { project } from "../map/mercator.js";
import { writeNames } from "../map/names.js";
import { drawRelease } from "../map/release_canvas.js";
import { layered, seenAt, squared, TALLEST } from "../map/still.js";
import { drawGraticule, drawJoined, drawTrack, pixelsOf } from "../map/track_canvas.js";
import { axes, drawAxes, endsOf } from "./series_axes.js";
import { APART, drawCrosses, drawLine } from "./series_line.js";

const MANY = 1500; // points whose line is thin
const AROUND = 36; // pixels around the released points
const SMALL = 112; // pixels of a small map, or of a small chart
const LOWEST = 200; // pixels of a map
const NEAREST = 2 ** 16.5; // pixels for each of the world: as near as the page's map goes
const CLEAR = { left: 40, right: 60, top: 12, bottom: 20 }; // where no degrees are written
const SERIES = 260; // pixels
const ABOVE = 26; // pixels over the values of a series, for its unit
const LARGEST = 40; // pixels of a cell

// latitudes, longitudes: degrees of what was released, in order of time; places: [latitude, longitude, text] of public ones;
// found: [latitude, longitude, metres, near, name] of where an attacker finds a lasting place; box: south, west, north and east of a small map, so that several are to one scale
export function stillRelease(place, { latitudes, longitudes, places, box, found = [] }, width) {
  const released = project(latitudes, longitudes);
  const view = box ? around(project([box[0], box[2]], [box[1], box[3]]), width, SMALL) : around(released, width);
  if (box) view.clear = { left: width, right: 0, top: view.size.y, bottom: 0 };
  const seen = { ...seenAt(place), released, truth: null };
  const names = { ...seen, truth: released, names: [], places: placed(places), landmarks: new Set(), degrees: [] };
  return layered(width, view.size.y, [
    (context) => {
      names.degrees = drawGraticule(context, view, seen);
      drawJoined(context, view, released, { stroke: seen.colours.link, width: latitudes.length > MANY ? 0.4 : 1.2 });
    },
    (context) => drawRelease(context, view, seen),
    (context) => writeNames(context, view, names, 5),
    (context) => found.length && circles(context, view, found, seen),
  ]);
}

// Public places with their names, on the plane of the map.
function placed(places) {
  const column = (k) => places.map((each) => each[k]);
  return { ...project(column(0), column(1)), text: column(2) };
}

// A sample's track with its landmarks. names: of its timestamps, none where they are many
export function stillTrack(place, { latitudes, longitudes, names, places, landmarks }, width) {
  const truth = project(latitudes, longitudes);
  const view = around(truth, width);
  const marked = { names, landmarks: new Set(landmarks), proposed: [], dummies: [], degrees: [] };
  const seen = { ...seenAt(place), ...marked, truth, places: placed(places) };
  return layered(width, view.size.y, [
    (context) => {
      seen.degrees = drawGraticule(context, view, seen);
    },
    (context) => drawTrack(context, view, seen),
  ]);
}

// What an attacker finds, as on the page's map.
function circles(context, view, found, seen) {
  const column = (k) => found.map((each) => each[k]);
  const marks = found.map(([latitude, , radius_m, near, name, distance]) => ({ latitude, radius_m, near, name, distance }));
  const at = { ...project(column(0), column(1)), marks };
  const pixels = ({ latitude, radius_m }) => pixelsOf(view, latitude, radius_m);
  drawFound(context, placedFound(context, view, { found: at, taken: null, size: 1 }, pixels), seen);
}

// All points with room around them; high: of a small map, pixels.
function around({ x, y }, width, high = 0) {
  const room = high ? high / 10 : AROUND;
  const ends = (values) => [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
  const [[west, east], [north, south]] = [ends(x), ends(y)];
  const scale = Math.min((width - 2 * room) / (east - west), ((high || TALLEST) - 2 * room) / (south - north), NEAREST);
  const size = { x: width, y: high || Math.max(LOWEST, scale * (south - north) + 2 * AROUND) };
  const left = (scale * (west + east) - size.x) / 2;
  const top = (scale * (north + south) - size.y) / 2;
  const at = (points, i) => [points.x[i] * scale - left, points.y[i] * scale - top];
  return { size, scale, left, top, at, clear: CLEAR, shows: (a, b) => a > -20 && b > -20 && a < size.x + 20 && b < size.y + 20 };
}

// values: what was released, null for none; time: of each, as its clock shows it; series: its kind, unit and answers; ends: the
// least and the greatest value that has room on a small chart
export function stillSeries(place, { values, time, series, ends }, width) {
  const numbers = values.map((value) => value ?? Number.NaN);
  const [n, said] = [numbers.length, series.kind === "answers"];
  const height = ends ? SMALL : SERIES;
  const scale = axes(place, { width, height }, [0, n - 1], ends ?? endsOf(numbers), said, { alone: true, above: ABOVE });
  const { colours } = seenAt(place);
  const track = { n, time, labels: [], series };
  const draw = (context) => {
    drawAxes(context, scale, { track, colours });
    drawLine(context, numbers, scale.released, scale, said, { stroke: colours.release, width: 1.2 });
    if (scale.across > APART) drawCrosses(context, numbers, scale, colours.release);
  };
  return layered(width, height, [draw]);
}

// squares: column and row of each cell, from the south-west; marks: a byte for each; guess: the cell of the best guess
export function stillBelief(place, { squares, marks, guess }, width) {
  const { corners, view, height } = squared(squares, width, LARGEST);
  const names = squares.map(() => "");
  const heat = { cells: { corners, beside: besideOf(squares.flat()), names }, marks, guess, truth: -1, step: -1, picked: -1 };
  const seen = { ...seenAt(place), heat, cells: { ...corners, names }, values: squares.map(() => 0) };
  return layered(width, height, [drawCells, drawHeat, drawBelieved], view, seen);
}
