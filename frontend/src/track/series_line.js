import { paint, path } from "../page/canvas.js";

export const APART = 9; // pixels between two timestamps from which each has its marks
export const SCATTERED = 0.1; // the share of released values beyond the chart from which they are dots and no line
const DOT = 2; // pixels
const EDGE = 5; // pixels of the marks at the edges

// A line of values: answers in steps, and a bar from the least to the greatest where a pixel has several.
export function drawLine(context, values, y, { x, across, range }, steps, look) {
  const [first, last] = [Math.max(0, Math.floor(range[0]) - 1), Math.min(values.length - 1, Math.ceil(range[1]) + 1)];
  context.beginPath();
  let before = NaN;
  for (let i = first; i <= last; i++) {
    let [low, high, end] = [values[i], values[i], values[i]];
    const column = Math.round(x(i));
    for (; across < 1 && i < last && Math.round(x(i + 1)) === column; i++) {
      end = values[i + 1];
      if (end < low) low = end;
      if (end > high) high = end;
    }
    if (Number.isNaN(end)) before = NaN;
    else {
      const at = across < 1 ? column : x(i);
      if (Number.isNaN(before)) context.moveTo(at, y(low));
      else if (steps) context.lineTo(at - across / 2, y(before));
      if (steps && !Number.isNaN(before)) context.lineTo(at - across / 2, y(low));
      context.lineTo(at, y(low));
      if (high !== low) context.lineTo(at, y(high));
      context.lineTo(at, y(end));
      before = end;
    }
  }
  paint(context, look);
}

// How many of the values between two timestamps lie above the chart, and below it, and how many there are.
export function beyond(values, { released, range, top, bottom }) {
  const [first, last] = [Math.max(0, Math.ceil(range[0])), Math.min(values.length - 1, Math.floor(range[1]))];
  const found = { above: 0, below: 0, of: Math.max(0, last - first + 1) };
  for (let i = first; i <= last; i++) {
    const y = released(values[i]);
    if (y < top) found.above++;
    else if (y > bottom) found.below++;
  }
  return found;
}

// Values that mostly lie beyond the chart: a line through them would be a row of bars from edge to edge, in which nothing can be
// read. A dot for each that lies on the chart, once for each spot, and at both edges a mark, the darker the more lie beyond it.
export function drawDots(context, values, { x, released, range, left, right, top, bottom }, fill) {
  const [first, last] = [Math.max(0, Math.ceil(range[0])), Math.min(values.length - 1, Math.floor(range[1]))];
  const columns = Math.ceil((right - left) / DOT) + 1;
  const edges = [new Uint32Array(columns), new Uint32Array(columns)];
  const seen = new Set();
  context.fillStyle = fill;
  for (let i = first; i <= last; i++) {
    const y = released(values[i]);
    const column = Math.min(columns - 1, Math.max(0, Math.round((x(i) - left) / DOT)));
    if (y < top || y > bottom) edges[y < top ? 0 : 1][column]++;
    else if (y >= top) {
      const row = Math.round((y - top) / DOT);
      if (!seen.has(row * columns + column)) context.fillRect(left + (column - 0.5) * DOT, top + (row - 0.5) * DOT, DOT, DOT);
      seen.add(row * columns + column);
    }
  }
  const most = edges.reduce((high, counts) => counts.reduce((a, b) => Math.max(a, b), high), 1);
  edges.forEach((counts, edge) => {
    counts.forEach((count, column) => {
      if (!count) return;
      context.globalAlpha = 0.25 + (0.75 * count) / most;
      context.fillRect(left + (column - 0.5) * DOT, edge ? bottom - EDGE : top, DOT, EDGE);
    });
  });
  context.globalAlpha = 1;
}

// A cross for each released value that lies between the ends of the chart.
export function drawCrosses(context, values, { x, released, range, top, bottom }, stroke) {
  const [first, last] = [Math.max(0, Math.floor(range[0])), Math.min(values.length - 1, Math.ceil(range[1]))];
  for (let i = first; i <= last; i++) {
    const y = released(values[i]);
    if (!(y >= top - 4 && y <= bottom + 4)) continue;
    for (const turn of [-4, 4]) {
      path(context, x(i) - 4, y - turn, x(i) + 4, y + turn);
      paint(context, { stroke, width: 2 });
    }
  }
}
