// On a narrow page the charts lie below the controls. This strip stands above them and stays in view: the text and the
// panels of the timeline, small, from the same description.
import { axisOf, placed } from "../page/axis.js";
import { write } from "../page/canvas.js";
import { h, setText } from "../page/dom.js";
import { amount } from "../page/format.js";
import { coloursOf, sizeOf } from "../page/theme.js";
import { axesOf, DenseLines, extremes, ranges } from "./dense.js";

const HIGH = 28; // pixels of a panel
const GAP = 5; // pixels between two
const NAMES = 88; // pixels for the name of a panel and its range
const LEAST = 20; // pixels of a panel's width: less shows nothing

export class Strip {
  constructor() {
    this.text = h("p", {});
    this.frame = h("div", { class: "lmdk-stripcharts" });
    this.element = h("div", { class: "lmdk-strip", "aria-hidden": "true" }, this.text, this.frame);
    this.dense = new DenseLines(this.frame, "lmdk-small");
    this.observer = new ResizeObserver(() => this.recolour());
    this.observer.observe(this.element);
  }

  say(text) {
    setText(this.text, text);
  }

  // store: of the track, and how its errors are written
  draw(figure, arrays, { track, write: errors }) {
    this.drawn = { figure, arrays, n: track.n, errors };
    this.recolour();
  }

  recolour() {
    const width = this.frame.clientWidth; // 0 where there is no strip
    const size = sizeOf(this.element);
    const left = NAMES * size;
    if (width < left + LEAST || !this.drawn) return;
    const { figure, arrays, n, errors } = this.drawn;
    const range = [-0.5, n - 0.5];
    const lines = figure.data.map((trace) => lineOf(trace, arrays, n));
    const shown = ranges(lines, range, figure.layout);
    const names = axesOf(figure.layout);
    const axes = { xaxis: placed(axisOf({}, []), range, left, width - left, false) };
    names.forEach((name, k) => (axes[name] = placed(axisOf(figure.layout[name], []), shown[name] ?? [0, 1], k * (HIGH + GAP), HIGH, true)));
    const height = names.length * (HIGH + GAP);
    this.frame.style.height = `${height}px`;
    const colour = coloursOf(this.element);
    this.dense.draw(lines, { width, height, axes }, range, colour("panel"));
    const context = this.dense.canvas.getContext("2d");
    const ratio = window.devicePixelRatio || 1;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const all = extremes(lines, range, figure.layout);
    for (const name of names) {
      const written = figure.layout[name].type === "log" ? errors : amount;
      const [low, high] = figure.layout[name].range ? [0, 1] : (all[name] ?? [NaN, NaN]);
      const look = { fillStyle: colour("ink"), font: `bold ${11 * size}px system-ui, sans-serif`, strokeStyle: null, textAlign: "left" };
      write(context, figure.layout[name].title.text, 0, axes[name].offset + 11, look);
      const text = Number.isFinite(low) && Number.isFinite(high) ? `${written(low)} to ${written(high)}` : "";
      write(context, text, 0, axes[name].offset + 24, { ...look, font: `${10.5 * size}px system-ui, sans-serif` }, left - 4);
    }
  }

  remove() {
    this.observer.disconnect();
  }
}

// A trace with its values, as DenseLines takes it; bars of every timestamp with their colours.
function lineOf(trace, arrays, n) {
  const y = trace.y?.$ ? (arrays[trace.y.$] ?? new Float32Array(0)) : trace.y.map((v) => v ?? NaN);
  if (trace.type !== "bar" || trace.x) return { trace, y };
  const x = Array.from({ length: n }, (_, i) => i);
  return { trace: { ...trace, x, y, width: 0.75, marker: { color: arrays.colours, line: arrays.outline } }, y };
}
