// Static maps and charts, as in a saved report: drawn by what draws those of the page, without Leaflet and without
// streets. Here what all of them share, and the map of cells, which does not say where on Earth its cells are.
import { blank } from "../page/canvas.js";
import { coloursOf } from "../page/theme.js";
import { drawCells, drawEdges, drawMarks, drawNumbers } from "./cells.js";
import { readPalette } from "./scale.js";

export const TALLEST = 560; // pixels
const SHARP = 3; // pixels of the canvas for each of the page, for paper
const LARGEST = 90; // pixels of a cell
const LOW = 120; // pixels of all cells on a card
const RIM = 2; // pixels around all cells, for the line of a region

// What the page's programs ask of its colours, where an element is.
export function seenAt(place) {
  const colour = coloursOf(place);
  /** @type {any} */
  const colours = new Proxy({}, { get: (_, name) => colour(name) });
  return { colours, palette: readPalette(getComputedStyle(place)), streets: false, size: 1 };
}

// A canvas on which each of these draws over the ones before: draw(context, ...given). Each has a canvas of its own first, as on the
// page: dots that are written as pixels leave nothing of what was there.
export function layered(width, height, draws, ...given) {
  const whole = blank(width, height, SHARP);
  for (const draw of draws) {
    const layer = blank(width, height, SHARP);
    draw(layer, ...given);
    whole.drawImage(layer.canvas, 0, 0, layer.canvas.width / SHARP, layer.canvas.height / SHARP);
  }
  return whole.canvas;
}

// Squares in the middle of a width, no more than this many pixels wide: their corners as cells have them, and how they are seen.
// squares: column and row of each cell, from the south-west
export function squared(squares, width, largest = LARGEST) {
  const [columns, rows] = [0, 1].map((k) => Math.max(...squares.map((square) => square[k])) + 1);
  const side = Math.min((width - 2 * RIM) / columns, TALLEST / rows, largest);
  const left = (width - side * columns) / 2;
  const around = [0, 1, 1, 0].map((right, k) => [right, k < 2 ? 0 : 1]); // from the south-west counterclockwise
  const corners = squares.flatMap(([column, row]) => around.map(([right, up]) => [column + right, rows - row - up]));
  return {
    corners: { x: corners.map(([x]) => x), y: corners.map(([, y]) => y) },
    view: { at: ({ x, y }, i) => [left + x[i] * side, RIM + y[i] * side] },
    height: side * rows + 2 * RIM,
  };
}

// place: an element in the colours of the page; small: on the card of a setting, where cells have no names
export function stillCells(place, { squares, names, values, shown, edges = [], binding = [], small = false }, width) {
  const rows = Math.max(...squares.map(([, row]) => row)) + 1;
  const { corners, view, height } = squared(squares, width, small ? LOW / rows : LARGEST);
  const numbers = values.map((value) => value ?? Number.NaN); // none where a report is never made
  const seen = { ...seenAt(place), cells: { ...corners, names }, values: numbers, shown, edges, binding, cursor: -1, unnamed: small };
  return layered(width, height, small ? [drawCells, drawMarks] : [drawCells, drawEdges, drawNumbers, drawMarks], view, seen);
}
