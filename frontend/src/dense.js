// Lines of more timestamps than pixels. For each column of pixels everything between the least and the greatest value is
// drawn, on a canvas behind plotly's panels: an SVG path of a thousand corners costs far more than what it shows.
import { h } from "./dom.js";

const DASHES = { dot: [2, 3], dash: [7, 5], longdash: [11, 6], dashdot: [8, 3, 2, 3] }; // pixels drawn, left out, ...
const FILL = 0.35; // opacity under a filled line

export class DenseLines {
  constructor(frame) {
    this.canvas = h("canvas", { class: "lmdk-dense", "aria-hidden": "true" });
    frame.prepend(this.canvas);
  }

  // lines: [{ trace, y }]; plot: what plotly has laid out; range: of timestamps; paper: colour behind the panels.
  draw(lines, plot, range, paper) {
    this.canvas.hidden = !lines.length;
    if (!lines.length) return;
    const ratio = window.devicePixelRatio || 1;
    const { width, height, xaxis } = plot;
    const [w, t] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (this.canvas.width !== w || this.canvas.height !== t) {
      Object.assign(this.canvas, { width: w, height: t });
      Object.assign(this.canvas.style, { width: `${width}px`, height: `${height}px` });
    }
    const context = this.canvas.getContext("2d");
    context.clearRect(0, 0, w, t);
    const left = Math.round(xaxis._offset * ratio);
    const columns = Math.round(xaxis._length * ratio);
    for (const axis of [plot.yaxis, plot.yaxis2, plot.yaxis3]) {
      context.fillStyle = paper;
      context.fillRect(left, axis._offset * ratio, columns, axis._length * ratio);
    }
    let before = null;
    for (const { trace, y } of lines) {
      const axis = plot[`yaxis${(trace.yaxis ?? "y").slice(1)}`];
      const pixel = (value) => (axis._offset + axis.d2p(value)) * ratio;
      const spans = extent(y, range, columns).map((span) => span && [pixel(span[1]), pixel(span[0])]);
      context.save();
      context.beginPath();
      context.rect(left, axis._offset * ratio, columns, axis._length * ratio);
      context.clip();
      context.fillStyle = trace.line.color;
      if (trace.fill) fill(context, spans, left, trace.fill === "tonexty" ? before : null, pixel(0));
      stroke(context, spans, left, Math.max(1, trace.line.width * ratio), DASHES[trace.line.dash], ratio);
      context.restore();
      before = spans;
    }
  }
}

// The least and the greatest value of an array, in the range; of a log axis only values above 0 count.
export function bounds(y, [from, to], log) {
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

function fill(context, spans, left, other, ground) {
  context.globalAlpha = FILL;
  spans.forEach((span, k) => {
    if (!span) return;
    const [top, bottom] = other ? [span[0], other[k]?.[1] ?? span[1]] : [span[0], ground];
    context.fillRect(left + k, top, 1, bottom - top);
  });
  context.globalAlpha = 1;
}

function stroke(context, spans, left, width, dash, ratio) {
  const pattern = dash?.map((d) => d * ratio);
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
