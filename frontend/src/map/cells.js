// The parts of a map of cells, each drawn on a canvas: cells in the colour of their class, edges, numbers, marks. They draw
// both the map of the page (cell_map.js) and that of a saved report (still.js).
import { box, diamond, disc, paint, write } from "../page/canvas.js";
import { FONT } from "./names.js";
import { scaleOf } from "./scale.js";

const ROOM_FOR_NUMBERS = 36; // pixels of a cell
const LETTERS = [12.5, 11.5, 10.5, 9.5]; // pixels of a number's letters, from the usual to the least
const [NAME, NUMBER] = [17, 22]; // pixels of a name at the top of a cell, and of a number at its bottom
const ON_TRUE = new Set(["reports", "reader", "attacker"]); // the chosen cell is a true place
const LEAST_MARK = 6; // pixels, half of a mark

export function boxOf(cells, { at }, i) {
  const corners = [0, 1, 2, 3].map((k) => at(cells, 4 * i + k));
  const [x, y] = [corners.map((corner) => corner[0]), corners.map((corner) => corner[1])];
  return [Math.min(...x), Math.max(...x), Math.min(...y), Math.max(...y)];
}

export function drawCells(context, view, { cells, values, shown, palette, colours, streets }) {
  const { classOf } = scaleOf(shown);
  cells.names.forEach((_, i) => {
    const [left, right, top, bottom] = boxOf(cells, view, i).map(Math.round);
    context.globalAlpha = streets ? 0.72 : 1;
    paint(context, { fill: palette[classOf(values[i])].fill }, left, top, right - left, bottom - top);
    context.globalAlpha = 1;
    paint(context, { stroke: colours.line }, left + 0.5, top + 0.5, right - left - 1, bottom - top - 1);
  });
}

// The thin ones first, so that those that bind are drawn above them.
export function drawEdges(context, view, { cells, edges, binding, colours }) {
  const centre = (i) => {
    const [left, right, top, bottom] = boxOf(cells, view, i);
    return [(left + right) / 2, (top + bottom) / 2];
  };
  const looks = [
    { stroke: colours.quiet, width: 1.2, dash: [4, 4] },
    { stroke: colours.landmark, width: 2.5 },
  ];
  looks.forEach((look, binds) => {
    context.beginPath();
    for (let k = 0; k < binding.length; k++) {
      if (binding[k] !== binds) continue;
      context.moveTo(...centre(edges[2 * k]));
      context.lineTo(...centre(edges[2 * k + 1]));
    }
    paint(context, look);
  });
}

// A number is as large as fits into its cell; one that does not fit in the least size is shown as "…".
export function drawNumbers(context, view, { cells, values, shown, palette, edges, streets, size }) {
  const { classOf, text: told } = scaleOf(shown);
  const boxes = cells.names.map((_, i) => boxOf(cells, view, i));
  const wide = Math.min(...boxes.map(([left, right]) => right - left));
  if (wide < ROOM_FOR_NUMBERS) return;
  const fits = (text, letters) => {
    context.font = FONT("", letters, size);
    return context.measureText(text).width < wide - 4;
  };
  cells.names.forEach((name, i) => {
    const [left, right, top, bottom] = boxes[i].map(Math.round);
    const { fill, text: fillStyle } = palette[classOf(values[i])];
    const look = { fillStyle, strokeStyle: streets || edges.length ? fill : null }; // over lines, or streets of any colour
    const text = told(values[i]);
    const short = LETTERS.some((letters) => fits(text, letters)) ? text : "…"; // in the font that was tried last
    write(context, short, (left + right) / 2, bottom - 8, { ...look, textAlign: "center" });
    write(context, name, left + 5, top + 13 * size, { ...look, font: FONT("", 11, size), textAlign: "left" });
  });
}

// A mark is between the name and the number of a cell, or in the corner next to the name if they leave no room.
function placeOfMark([left, right, top, bottom], named, size) {
  const [above, below] = named ? [NAME * size, NUMBER * size] : [0, 0];
  const room = bottom - top - above - below;
  if (named && room < 2 * LEAST_MARK) return { x: right - LEAST_MARK - 4, y: top + LEAST_MARK + 3, radius: LEAST_MARK };
  const radius = Math.min(13, (right - left) / 5, room / 2);
  return { x: (left + right) / 2, y: top + above + room / 2, radius: named ? radius : Math.max(5, radius) };
}

// unnamed: whether cells have neither names nor numbers
export function drawMarks(context, view, { cells, shown, cursor, colours, size = 1, unnamed = false }) {
  const at = (i) => {
    const [left, right, top, bottom] = boxOf(cells, view, i);
    const [wide, tall] = [right - left, bottom - top];
    return { ...placeOfMark([left, right, top, bottom], !unnamed && wide >= ROOM_FOR_NUMBERS, size), left, top, wide, tall };
  };
  if (cursor >= 0) {
    const { left, top, wide, tall } = at(cursor);
    paint(context, { stroke: colours.ink, width: 2.5 }, left + 1, top + 1, wide - 2, tall - 2);
  }
  const finish = (fill) => {
    paint(context, { stroke: colours.paper, width: 4 });
    paint(context, { fill, stroke: colours.ink, width: 1.5 });
  };
  // true place, report, best guess: they differ in shape as well as in colour
  const { selected, guess, meaning } = shown;
  if (selected >= 0 && meaning !== "prior") {
    const { x, y, radius } = at(selected);
    if (ON_TRUE.has(meaning)) disc(context, x, y, radius);
    else box(context, x - radius, y - radius, 2 * radius, 2 * radius);
    finish(ON_TRUE.has(meaning) ? colours.regular : colours.release);
  }
  if (guess >= 0) {
    const { x, y, radius } = at(guess);
    diamond(context, x, y, radius * (guess === selected ? 0.75 : 1.15));
    finish(colours.landmark);
  }
}
