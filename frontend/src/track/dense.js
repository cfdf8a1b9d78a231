// Lines of more timestamps than pixels. For each column of pixels everything between the smallest and the largest value is
// drawn, on a canvas behind the panels: an SVG path of a thousand corners costs far more than what it shows.
import { box, paint, sized } from "../page/canvas.js";
import { h } from "../page/dom.js";

const DASHES = { dot: [2, 3], dash: [7, 5], longdash: [11, 6], dashdot: [8, 3, 2, 3] }; // pixels drawn, left out, ...
const FILL = 0.35; // opacity under a filled line
const ROOM = 0.055; // beyond the smallest and the largest value, as a share of what lies between

export class DenseLines {
  constructor(frame) {
    this.canvas = h("canvas", { class: "lmdk-dense", "aria-hidden": "true" });
    frame.prepend(this.canvas);
  }

  // lines: [{ trace, y }], y of every timestamp or, for bars and level lines, at trace.x; drawn: { width, height, axes };
  // range: of timestamps; paper: colour behind the panels.
  draw(lines, { width, height, axes }, range, paper) {
    this.canvas.hidden = !lines.length;
    if (!lines.length) return;
    const { xaxis } = axes;
    const context = sized(this.canvas, width, height);
    const { a: ratio } = context.getTransform();
    context.resetTransform(); // a column is a pixel of the screen
    const [left, columns] = [Math.round(xaxis.offset * ratio), Math.round(xaxis.length * ratio)];
    const panel = (axis) => [left, axis.offset * ratio, columns, axis.length * ratio];
    for (const name of axesOf(axes)) paint(context, { fill: paper }, ...panel(axes[name]));
    let before = null;
    for (const { trace, y } of lines) {
      const axis = axes[axisName(trace)];
      const pixel = (value) => axis.at(value) * ratio;
      context.save();
      box(context, ...panel(axis));
      context.clip();
      if (trace.type === "bar") bars(context, trace, (x) => xaxis.pixel(x) * ratio, pixel);
      else {
        const found = trace.x ? level(y[0], columns) : extent(y, range, columns);
        const spans = found.map((span) => span && [pixel(span[1]), pixel(span[0])]);
        const thick = Math.max(1, trace.line.width * ratio);
        const dash = DASHES[trace.line.dash]?.map((d) => d * ratio);
        context.fillStyle = paper;
        if (trace.x) stroke(context, spans, left, thick + 2 * ratio, dash); // a rim, or it would get lost against what is behind
        context.fillStyle = trace.line.color;
        if (trace.fill) fill(context, spans, left, trace.fill === "tonexty" ? before : null, pixel(0));
        stroke(context, spans, left, thick, dash);
        before = spans;
      }
      context.restore();
    }
  }
}

// The names of the panels' axes, from the highest.
export const axesOf = (layout) =>
  Object.keys(layout)
    .filter((name) => /^yaxis\d*$/.test(name))
    .sort();

export const axisName = (trace) => `yaxis${(trace.yaxis ?? "y").slice(1)}`;

// The least and the greatest value in each panel: {yaxis: [low, high], ...}; of a plain axis at least from 0 to 0.
export function extremes(lines, range, layout) {
  const found = {};
  for (const { trace, y } of lines) {
    const name = axisName(trace);
    const log = layout[name].type === "log";
    const [low, high] = bounds(y, trace.x ? [0, y.length - 1] : range, log);
    const [a, b] = (found[name] ??= log ? [Infinity, -Infinity] : [0, 0]);
    if (low !== null) found[name] = [Math.min(a, low), Math.max(b, high)];
  }
  return found;
}

// The range of each axis that shows all of its lines with a little room: {yaxis: [from, to], ...}, logarithms of a log axis.
export function ranges(lines, range, layout) {
  const found = extremes(lines, range, layout);
  for (const [name, span] of Object.entries(found)) {
    if (layout[name].range) {
      found[name] = layout[name].range; // given with the description
      continue;
    }
    const log = layout[name].type === "log";
    const [from, to] = log ? span.map(Math.log10) : span;
    const room = ROOM * (to - from || 1);
    found[name] = Number.isFinite(from) ? [log ? from - room : from, to + room] : [0, 1];
  }
  return found;
}

// The least and the greatest value of an array, in the range; of a log axis only values above 0 count.
function bounds(y, [from, to], log) {
  let [low, high] = [Infinity, -Infinity];
  const last = Math.min(y.length - 1, Math.ceil(to));
  for (let i = Math.max(0, Math.floor(from)); i <= last; i++) {
    const v = y[i];
    if (v < low && (!log || v > 0)) low = v;
    if (v > high && v < Infinity) high = v;
  }
  return low <= high ? [low, high] : [null, null];
}

// For each column its least and greatest value, joined to the last value of the column before; null where there is none.
function extent(y, [from, to], columns) {
  const step = (to - from) / columns;
  let last = NaN;
  return Array.from({ length: columns }, (_, k) => {
    const start = Math.max(0, Math.ceil(from + k * step));
    const end = Math.min(y.length, Math.ceil(from + (k + 1) * step));
    let [low, high] = [last, last];
    for (let i = start; i < end; i++) {
      const v = y[i];
      if (v < low || Number.isNaN(low)) low = v;
      if (v > high || Number.isNaN(high)) high = v;
    }
    if (end > start) last = Number.isFinite(y[end - 1]) ? y[end - 1] : NaN;
    const seen = Number.isFinite(low) && Number.isFinite(high) && start < y.length && end > 0 && from + (k + 1) * step <= y.length;
    return seen ? [low, high] : null;
  });
}

// A value that is the same at all timestamps.
const level = (value, columns) => new Array(columns).fill(Number.isFinite(value) ? [value, value] : null);

function bars(context, { x, y, width, marker }, across, pixel) {
  x.forEach((at, k) => {
    context.fillStyle = Array.isArray(marker.color) ? marker.color[k] : marker.color;
    const [from, top] = [across(at - width / 2), pixel(y[k])];
    const box = [from, top, across(at + width / 2) - from, pixel(0) - top];
    context.fillRect(...box);
    const edge = Array.isArray(marker.line?.width) ? marker.line.width[k] : marker.line?.width;
    if (!edge) return;
    Object.assign(context, { strokeStyle: marker.line.color, lineWidth: edge });
    context.strokeRect(...box);
  });
}

function fill(context, spans, left, other, base) {
  context.globalAlpha = FILL;
  spans.forEach((span, k) => {
    if (!span) return;
    const [top, bottom] = other ? [span[0], other[k]?.[1] ?? span[1]] : [span[0], base];
    context.fillRect(left + k, top, 1, bottom - top);
  });
  context.globalAlpha = 1;
}

function stroke(context, spans, left, width, pattern) {
  const period = pattern?.reduce((a, b) => a + b, 0);
  const drawn = (k) => {
    let at = k % period;
    return pattern.findIndex((d) => (at -= d) < 0) % 2 === 0;
  };
  spans.forEach((span, k) => {
    if (!span || (pattern && !drawn(k))) return;
    context.fillRect(left + k, span[0] - width / 2, 1, span[1] - span[0] + width);
  });
}
