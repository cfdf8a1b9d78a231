import { paint, path } from "../page/canvas.js";

export const APART = 9; // pixels between two timestamps from which each has its marks

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
