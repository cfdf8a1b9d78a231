// One plotly chart from a description made by Python, in the page's colours and width, with the sentence that says what
// it shows beneath. {"$": "name"} in a trace stands for a named array. One drawing at a time; the last description wins.
import { h, setText } from "./dom.js";
import { coloursOf, sizeOf } from "./theme.js";

const NARROW = 480; // pixels
const CONFIG = { displaylogo: false, displayModeBar: false, scrollZoom: false, doubleClick: false, staticPlot: false };

export class Chart {
  // act: { onclick(point), onhover(point or null) }, point = { trace, name, index, x, y }
  constructor(parent, Plotly, { label = "", onclick = null, onhover = null } = {}) {
    this.Plotly = Plotly;
    this.act = { onclick, onhover };
    this.plot = h("div", { class: "lmdk-figureplot", ...(label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" }) });
    this.words = h("figcaption", { class: "lmdk-summary" });
    this.element = h("figure", { class: "lmdk-figure" }, this.plot, this.words);
    parent.append(this.element);
    this.drawing = Promise.resolve();
    this.width = 0;
    this.observer = new ResizeObserver(() => {
      if (!this.element.clientWidth || this.element.clientWidth === this.width) return;
      this.width = this.element.clientWidth;
      this.recolour();
    });
    this.observer.observe(this.element);
  }

  // Resolves when this description, or a later one, is painted.
  draw(figure, arrays = {}, summary = "") {
    this.next = { figure, arrays, summary };
    return this.recolour();
  }

  recolour() {
    this.drawing = this.drawing.then(() => this.paint()).catch(report);
    return this.drawing;
  }

  async paint() {
    const { next } = this;
    if (this.gone || !next) return;
    setText(this.words, next.summary);
    if (!this.width || (this.painted === next && this.paintedLook === this.look())) return;
    const { data, layout } = next.figure;
    const filled = data.map((trace) => fill(trace, next.arrays));
    const empty = filled.every((trace) => !(trace.y ?? trace.z)?.length);
    this.plot.hidden = empty; // no axes around nothing: the sentence says why
    this.element.style.minHeight = empty ? `${layout?.height ?? 0}px` : "";
    const look = { colour: coloursOf(this.element), size: sizeOf(this.element), family: getComputedStyle(this.element).fontFamily };
    if (!empty) await this.Plotly.react(this.plot, filled, dressed(layout ?? {}, look, this.width), CONFIG);
    this.painted = next;
    this.paintedLook = this.look();
    this.element.dataset.lmdkPainted = "";
    if (!this.wired && !empty) this.wire();
  }

  look() {
    return `${this.width} ${sizeOf(this.element)} ${coloursOf(this.element)("ink")}`;
  }

  wire() {
    this.wired = true;
    const point = ({ points }) => {
      const at = points?.[0];
      return at ? { trace: at.curveNumber, name: at.data.name, index: at.pointIndex, x: at.x, y: at.y } : null;
    };
    if (this.act.onclick) this.plot.on("plotly_click", (event) => point(event) && this.act.onclick(point(event)));
    if (this.act.onhover) {
      this.plot.on("plotly_hover", (event) => this.act.onhover(point(event)));
      this.plot.on("plotly_unhover", () => this.act.onhover(null));
    }
  }

  remove() {
    this.gone = true;
    this.observer.disconnect();
    this.Plotly.purge(this.plot);
  }
}

function report(error) {
  window.dispatchEvent(new CustomEvent("lmdk-error", { detail: "A figure could not be drawn. Reload the page." }));
  throw error;
}

// A copy of the description (plotly writes into it) with the arrays in place of their names.
function fill(value, arrays) {
  if (Array.isArray(value)) return value.map((entry) => fill(entry, arrays));
  if (!value || typeof value !== "object") return value;
  if ("$" in value) return Array.from(arrays[value.$] ?? [], (v) => (Number.isFinite(v) ? v : null));
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, fill(entry, arrays)]));
}

// The layout in the colours, by their names, the size and the letters of a page, and in its width.
export function dressed(described, { colour, size, family }, width) {
  const layout = structuredClone(described);
  const narrow = width < NARROW * size;
  Object.assign(layout, { width, height: (layout.height ?? 340) * size, autosize: false });
  Object.assign(layout, { paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: colour("panel") });
  layout.font = { ...layout.font, size: (layout.font?.size ?? 13) * size, color: colour("ink"), family };
  layout.margin = { l: narrow ? 46 : 58, r: narrow ? 8 : 14, t: 12, b: 46, ...layout.margin };
  layout.margin = Object.fromEntries(Object.entries(layout.margin).map(([side, pixels]) => [side, pixels * size]));
  layout.legend = { orientation: "h", x: 0, y: 1.02, yanchor: "bottom", itemclick: false, ...layout.legend };
  layout.legend.bgcolor = "rgba(0,0,0,0)";
  layout.hoverlabel = { bgcolor: colour("paper"), bordercolor: colour("line"), font: { color: colour("ink") } };
  for (const name of new Set(["xaxis", "yaxis", ...Object.keys(layout)])) {
    if (!/^[xy]axis\d*$/.test(name)) continue;
    const lines = { gridcolor: colour("grid"), zerolinecolor: colour("line"), linecolor: colour("quiet") };
    layout[name] = { fixedrange: true, automargin: true, ...layout[name], ...lines };
  }
  return layout;
}
