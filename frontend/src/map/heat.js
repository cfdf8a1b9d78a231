// What an adversary believes about the cells of a map at one timestamp: classes of colour, the regions with half and 95 % of
// the belief, the best guess and the likeliest path. The byte of each cell says which class it has and in which region it is.
import { diamond, paint, path, star } from "../page/canvas.js";
import { project } from "./mercator.js";

const CLASS = 7; // bits of a byte
const REGIONS = [
  { bit: 8, width: 1.5, dash: [5, 4] },
  { bit: 16, width: 2.5, dash: [] },
];
const MANY = 300; // timestamps of a path that is a thin line
const FIRST = 2; // class of the palette of the first class that is drawn
const SIDES = [
  [0, -1, 0, 1], // to the neighbour: column, row; the two corners, from the south-west counterclockwise
  [1, 0, 1, 2],
  [0, 1, 2, 3],
  [-1, 0, 3, 0],
];

// Cells as they are drawn. base: degrees of the corner from which the corners of all cells are counted; latitudes,
// longitudes: four for each cell; squares: column and row of each.
export function cellsOf({ base, latitudes, longitudes, squares, names }) {
  const [south, west] = base;
  const corners = project(
    Float64Array.from(latitudes, (v) => south + v),
    Float64Array.from(longitudes, (v) => west + v),
  );
  return { corners, beside: besideOf(squares), names };
}

// The four neighbours of each cell, or -1. squares: column and row of each.
export function besideOf(squares) {
  const m = squares.length / 2;
  const at = new Map(Array.from({ length: m }, (_, i) => [`${squares[2 * i]} ${squares[2 * i + 1]}`, i]));
  return Array.from({ length: m }, (_, i) => SIDES.map(([c, r]) => at.get(`${squares[2 * i] + c} ${squares[2 * i + 1] + r}`) ?? -1));
}

export function drawHeat(context, view, { heat, palette, streets }) {
  const { cells, marks } = heat;
  const count = cells.names.length;
  const corners = (i) => [0, 1, 2, 3].map((k) => view.at(cells.corners, 4 * i + k));
  context.globalAlpha = streets ? 0.6 : 0.85;
  for (let i = 0; i < count; i++) {
    if (!(marks[i] & CLASS)) continue;
    path(context, ...corners(i).flat());
    paint(context, { fill: palette[FIRST - 1 + (marks[i] & CLASS)].fill });
  }
  context.globalAlpha = 1;
  for (const { bit, width, dash } of REGIONS) {
    context.beginPath();
    for (let i = 0; i < count; i++) {
      if (!(marks[i] & bit)) continue;
      const corner = corners(i);
      cells.beside[i].forEach((other, side) => {
        if (other >= 0 && marks[other] & bit) return;
        context.moveTo(...corner[SIDES[side][2]]);
        context.lineTo(...corner[SIDES[side][3]]);
      });
    }
    paint(context, { stroke: palette[7].fill, width, dash });
  }
}

function centreOf({ at }, { corners }, i) {
  const [[x, y], [a, b]] = [at(corners, 4 * i), at(corners, 4 * i + 2)];
  return [(x + a) / 2, (y + b) / 2];
}

// The likeliest path through the centres of its cells.
export function drawPath(context, view, { heat, colours }) {
  const { cells, path: passed } = heat;
  context.beginPath();
  let last = -1;
  for (const cell of passed) {
    if (cell !== last) context.lineTo(...centreOf(view, cells, cell));
    last = cell;
  }
  const many = passed.length > MANY;
  if (!many) paint(context, { stroke: colours.paper, width: 4.5 });
  context.globalAlpha = many ? 0.5 : 1;
  paint(context, { stroke: colours.path, width: many ? 1.2 : 2.2, dash: many ? [] : [7, 4] });
  context.globalAlpha = 1;
}

// The cell of the best guess, that of the likeliest path, the true one, and the one that is looked at over time: each that is
// told, as a saved report knows no true one.
export function drawBelieved(context, view, { heat, colours }) {
  const { cells, guess, truth, picked, step } = heat;
  const square = (i, look) => {
    path(context, ...[0, 1, 2, 3].flatMap((k) => view.at(cells.corners, 4 * i + k)));
    context.closePath();
    paint(context, look);
  };
  if (picked >= 0) square(picked, { stroke: colours.release, width: 3, dash: [2, 3] });
  if (truth >= 0) square(truth, { stroke: colours.regular, width: 3 });
  if (step >= 0) {
    const [x, y] = centreOf(view, cells, step);
    diamond(context, x, y, 6);
    paint(context, { fill: colours.path, stroke: colours.paper, width: 1.5 });
  }
  star(context, ...centreOf(view, cells, guess), 12);
  paint(context, { fill: colours.paper, stroke: colours.ink, width: 2 });
}

// The cell at a pixel of the map, or -1.
export function cellAt({ at }, { cells }, { x, y }) {
  return cells.names.findIndex((_, i) => {
    const [[left, bottom], [right, top]] = [at(cells.corners, 4 * i), at(cells.corners, 4 * i + 2)];
    return x >= left && x < right && y >= top && y < bottom;
  });
}
