// One chart from a description made by Python, in the page's colours and width, with a sentence below that says what it
// shows. {"$": "name"} in a trace stands for a named array. A readout says what the pointer is on; `drawn`, what is shown.
import { h, onSize, setText } from "./dom.js";
import { figureSvg } from "./figure.js";
import { nearestPoint, saidOf } from "./hover.js";
import { saveButton } from "./save_chart.js";
import { coloursOf, sizeOf } from "./theme.js";
import { axisName } from "./traces.js";

const STILL = 6; // pixels: a shorter move is a click
const [LOWEST, HIGHEST] = [0.75, 1.5]; // of the described height, if a chart matches the picture next to it

export class Chart {
  // act: { onclick(point), onhover(point or null) }, point = { trace, name, index, x, y }
  // beside: a picture to whose bottom the chart extends if it is next to it; save({ title, figure }, format): as a file
  constructor(parent, { label = "", onclick = null, beside = null, save = /** @type {any} */ (null) } = {}) {
    this.onclick = onclick;
    this.title = label;
    this.beside = beside;
    globalThis.lmdkCharts = (globalThis.lmdkCharts ?? 0) + 1; // of the page, as several bundles draw charts on it
    this.prefix = `c${globalThis.lmdkCharts}-`;
    this.plot = h("div", { class: "lmdk-figureplot", ...(label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" }) });
    this.words = h("figcaption", { class: "lmdk-summary" });
    this.saves = save && saveButton("this chart", (format) => save({ title: this.title, figure: this.figure }, format));
    this.element = h("figure", { class: "lmdk-figure" }, this.plot, this.words, this.saves);
    this.tip = h("div", { class: "lmdk-charttip", hidden: true });
    parent.append(this.element);
    this.width = 0;
    this.time = /** @type {any} */ (null); // a ChartTime, if its axis is that of all views
    const sized = onSize(this.element, () => {
      if (!this.element.clientWidth || this.element.clientWidth === this.width) return;
      this.width = this.element.clientWidth;
      this.recolour();
    });
    const grown = beside ? onSize(beside, () => this.recolour()) : () => {};
    this.remove = () => (sized(), grown());
    this.listen();
  }

  draw(figure, arrays = {}, summary = "") {
    this.next = { figure, arrays, summary };
    this.recolour();
  }

  recolour() {
    const { next } = this;
    if (!next) return;
    setText(this.words, next.summary);
    const look = this.look();
    if (!this.width || (this.painted === next && this.paintedLook === look)) return;
    const { data, layout: described } = next.figure;
    const layout = this.time?.range ? { ...described, xaxis: { ...described.xaxis, range: this.time.range } } : described;
    const filled = data.map((trace) => fill(trace, next.arrays));
    const empty = filled.every((trace) => !trace.y?.length && !trace.x?.length);
    this.plot.hidden = empty; // no axes around nothing: the sentence says why
    if (this.saves) this.saves.hidden = empty;
    this.figure = { data: filled, layout };
    this.element.style.minHeight = empty ? `${layout?.height ?? 0}px` : "";
    if (!empty) this.paint({ data: filled, layout: { ...layout, height: this.high(layout ?? {}) } });
    this.painted = next;
    this.paintedLook = look;
    this.element.dataset.lmdkPainted = "";
  }

  // As described, or down to the bottom of the picture next to it.
  high({ height }) {
    if (!this.beside || !height) return height;
    const [mine, other] = [this.element, this.beside].map((element) => element.getBoundingClientRect());
    if (!other.height || other.right > mine.left) return height;
    const room = (other.bottom - mine.top) / sizeOf(this.element);
    return Math.round(Math.max(LOWEST * height, Math.min(HIGHEST * height, room)));
  }

  paint(figure) {
    const colour = coloursOf(this.element);
    const family = getComputedStyle(this.element).fontFamily;
    const look = { colour, size: sizeOf(this.element), family };
    this.drawn = figureSvg(figure, look, this.width, { measure: measureIn(family), prefix: this.prefix });
    /** @type {any} */ (this.plot).drawn = this.drawn;
    this.plot.innerHTML = this.drawn.text;
    this.plot.append(this.tip);
    this.point(null);
    this.time?.drawn();
  }

  look() {
    const high = this.high(this.next.figure.layout ?? {});
    return `${this.width} ${high} ${this.time?.range} ${sizeOf(this.element)} ${coloursOf(this.element)("ink")}`;
  }

  listen() {
    const under = ({ clientX, clientY }) => {
      const box = this.plot.getBoundingClientRect();
      return this.drawn ? nearestPoint(this.drawn.points, clientX - box.left, clientY - box.top, this.drawn.traces) : null;
    };
    this.plot.addEventListener("pointermove", (event) => this.time || this.point(under(event)));
    this.plot.addEventListener("pointerleave", () => this.time || this.point(null));
    this.plot.addEventListener("pointerdown", (event) => {
      this.down = [event.clientX, event.clientY];
      if (!this.time) this.point(under(event));
    });
    this.plot.addEventListener("click", (event) => {
      const found = under(event);
      const moved = this.down ? Math.hypot(event.clientX - this.down[0], event.clientY - this.down[1]) : 0;
      if (!found || moved > STILL || !this.onclick) return;
      const { name, x, y } = this.drawn.traces[found.trace];
      this.onclick({ trace: found.trace, name, index: found.index, x: x[found.index], y: y[found.index] });
    });
  }

  // Shows the readout of a point, next to it and inside the chart; none for null.
  point(found) {
    if (found && found === this.found) return;
    this.found = found;
    this.tip.hidden = !found;
    this.plot.style.cursor = found && this.onclick ? "pointer" : "";
    if (!found) return;
    const { traces, axes, width } = this.drawn;
    const trace = traces[found.trace];
    const lines = saidOf(trace, found, { x: axes[axisName(trace, "x")], y: axes[axisName(trace, "y")] });
    this.tip.replaceChildren(...lines.map((line) => h("div", {}, line)));
    const { offsetWidth: wide, offsetHeight: high } = this.tip;
    const left = found.x + 12 + wide > width ? Math.max(0, found.x - 12 - wide) : found.x + 12;
    this.tip.style.transform = `translate(${left}px, ${Math.max(0, found.y - high - 8)}px)`;
    this.tip.style.borderColor = trace.colour;
  }
}

/** @type {CanvasRenderingContext2D | null} */
let context = null;

// measure(text, pixels) in letters of a family.
export function measureIn(family) {
  context ??= document.createElement("canvas").getContext("2d");
  const known = new Map();
  return (text, pixels) => {
    const key = `${pixels} ${text}`;
    if (!known.has(key) && context) {
      context.font = `${pixels}px ${family}`;
      known.set(key, context.measureText(text).width);
    }
    return known.get(key);
  };
}

// A copy of the description with the arrays instead of their names.
function fill(value, arrays) {
  if (Array.isArray(value)) return value.map((entry) => fill(entry, arrays));
  if (!value || typeof value !== "object") return value;
  if ("$" in value) return Array.from(arrays[value.$] ?? [], (v) => (Number.isFinite(v) ? v : null));
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, fill(entry, arrays)]));
}
