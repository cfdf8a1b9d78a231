// A map of cells that stands still, as in a saved report: drawn by what draws the map of the page, without Leaflet, without
// streets and without saying where on Earth the cells are.
import { coloursOf } from "../page/theme.js";
import { drawCells, drawEdges, drawMarks, drawNumbers } from "./cells.js";
import { readPalette } from "./scale.js";

const SHARP = 3; // pixels of the canvas for each of the page, for paper
const [TALLEST, LARGEST] = [560, 90]; // pixels of the map, and of a cell

// place: an element in the colours of the page; squares: column and row of each cell, from the south-west
export function stillCells(place, { squares, names, values, shown, edges = [], binding = [] }, width) {
  const [columns, rows] = [0, 1].map((k) => Math.max(...squares.map((square) => square[k])) + 1);
  const side = Math.min(width / columns, TALLEST / rows, LARGEST);
  const left = (width - side * columns) / 2;
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: SHARP * width, height: Math.ceil(SHARP * side * rows) });
  canvas.style.width = `${width}px`;
  const context = canvas.getContext("2d");
  context.scale(SHARP, SHARP);
  const corners = squares.flatMap(([column, row]) => [0, 1].map((k) => [column + k, rows - row - k]).flatMap((corner) => [corner, corner]));
  const cells = { x: corners.map(([x]) => x), y: corners.map(([, y]) => y), names };
  const view = { at: ({ x, y }, i) => [left + x[i] * side, y[i] * side] };
  const colour = coloursOf(place);
  const colours = new Proxy({}, { get: (_, name) => colour(name) });
  const numbers = values.map((value) => value ?? Number.NaN); // none where a report is never made
  const seen = { cells, values: numbers, shown, edges, binding, colours, palette: readPalette(getComputedStyle(place)), streets: false, cursor: -1, size: 1 };
  for (const draw of [drawCells, drawEdges, drawNumbers, drawMarks]) draw(context, view, seen);
  return canvas;
}
