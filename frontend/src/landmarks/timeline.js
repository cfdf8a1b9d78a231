// The timeline: one plotly figure with stacked panels on one axis of timestamps, from a description made by Python in
// which {"$": "budgets"} stands for an array. More timestamps than pixels: plotly keeps the axes alone, whose ranges are
// set here, and the lines are drawn as the least and the greatest value of each pixel. Hovering and clicking are read off
// the axis here, so that they work in every panel and cost plotly nothing.

import { h, svg } from "../page/dom.js";
import { clock, shortDay } from "../page/format.js";
import { coloursOf, sizeOf } from "../page/theme.js";
import { axesOf, axisName, DenseLines, ranges } from "./dense.js";

const GAP = 9; // pixels between a panel and the legend of the next one
const LOW = 64; // pixels that a panel has at least
const NARROW = 420; // pixels
const SHORT = 450; // pixels: the height of a narrow timeline, which stands beside the map on a small screen
const CONFIG = { responsive: false, displaylogo: false, displayModeBar: false, scrollZoom: false, doubleClick: false };

export class Timeline {
  // act: { toggle(index), hover(index) }
  constructor(element, Plotly, act) {
    this.Plotly = Plotly;
    this.act = act;
    this.plot = h("div", { class: "lmdk-plot", role: "img", "aria-label": "Timeline" });
    this.line = h("div", { class: "lmdk-hoverline", hidden: true });
    this.legends = h("div", { "aria-hidden": "true" });
    this.ticks = h("div", { class: "lmdk-ticks", "aria-hidden": "true" });
    this.frame = h("div", { class: "lmdk-plotframe" }, this.plot, this.line, this.ticks, this.legends);
    this.dense = new DenseLines(this.frame);
    element.append(this.frame);
    /** @type {[number, number] | null} */
    this.range = null;
    /** @type {[number, number] | null} of the budgets, while one is dragged */
    this.budgetRange = null;
    this.drawn = () => {};
    this.listen();
    this.observer = new ResizeObserver(() => this.resized());
    this.observer.observe(this.frame);
  }

  listen() {
    this.frame.addEventListener("pointermove", (event) => {
      if (event.pointerType === "mouse" && !event.buttons) this.act.hover(this.index(event));
    });
    this.frame.addEventListener("pointerleave", () => this.act.hover(-1));
    const press = (down) => {
      const up = ({ clientX, clientY }) => {
        const found = Math.hypot(clientX - down.clientX, clientY - down.clientY) > 4 ? -1 : this.index({ clientX, clientY });
        if (found >= 0) this.act.toggle(found);
      };
      if (down.button === 0 && !down.target.closest(".modebar")) window.addEventListener("pointerup", up, { capture: true, once: true });
    };
    this.frame.addEventListener("pointerdown", press, true);
  }

  // The timestamp under the pointer, or -1 outside the panels.
  index({ clientX, clientY }) {
    const layout = this.plot._fullLayout;
    if (!layout?.xaxis || !this.track) return -1;
    const box = this.plot.getBoundingClientRect();
    const x = clientX - box.left - layout.xaxis._offset;
    const y = clientY - box.top;
    if (x < 0 || x > layout.xaxis._length || y < layout.margin.t || y > layout.height - layout.margin.b) return -1;
    const found = Math.round(layout.xaxis.p2l(x));
    return found >= 0 && found < this.track.n ? found : -1;
  }

  setTrack(track) {
    this.track = track;
    this.range = null;
    this.line.hidden = true;
  }

  // Draws a description with its arrays; resolves when it is painted.
  draw(figure, arrays) {
    this.figure = figure;
    this.arrays = arrays;
    return this.recolour();
  }

  async recolour() {
    if (!this.figure || !this.track) return;
    const { n } = this.track;
    const width = this.frame.clientWidth || 800;
    const range = this.range ?? [-0.5 - n * 0.005, n - 0.5 + n * 0.005];
    const layout = this.dressed(range, width);
    this.drawLegends(layout);
    const lines = manyMoreThan(width, range, n) ? this.figure.data.map((trace) => ({ trace, y: values(trace, this.arrays) })) : [];
    if (lines.length) await this.reactAxes(layout, ranges(lines, range, layout));
    else await this.reactAll(layout, range);
    this.dense.draw(lines, this.plot._fullLayout, range, this.paper);
    this.drawTicks(range, width);
    if (!this.wired) this.wire();
    this.setHovered(this.hovered ?? -1);
    this.drawn();
  }

  async reactAll(layout, range) {
    this.axes = null;
    const traces = this.figure.data.map((trace) => resolve(trace, this.arrays, range));
    await this.Plotly.react(this.plot, traces, layout, CONFIG);
  }

  // The axes alone, with these ranges {yaxis: [from, to], ...}: plotly sets new ranges four times as fast as a figure.
  async reactAxes(layout, shown) {
    this.paper = layout.plot_bgcolor;
    layout.plot_bgcolor = "rgba(0,0,0,0)"; // the lines are drawn behind
    const axes = JSON.stringify(layout);
    if (axes === this.axes) {
      const changed = Object.entries(shown).map(([name, range]) => [`${name}.range`, range]);
      await this.Plotly.relayout(this.plot, Object.fromEntries(changed));
      return;
    }
    this.axes = axes;
    for (const [name, range] of Object.entries(shown)) Object.assign(layout[name], { range, autorange: false });
    const empty = axesOf(layout)
      .map((name) => name.replace("axis", ""))
      .map((yaxis) => ({ type: "scatter", mode: "none", x: [0], y: [1], yaxis, hoverinfo: "skip" }));
    await this.Plotly.react(this.plot, empty, layout, CONFIG);
  }

  wire() {
    this.wired = true;
    const show = (range) => {
      this.range = range;
      this.recolour();
    };
    this.plot.on("plotly_relayout", ({ "xaxis.range[0]": from, "xaxis.range[1]": to }) => to - from >= 1 && show([from, to]));
    this.plot.on("plotly_doubleclick", () => show(null));
  }

  dressed(range, width) {
    const colour = coloursOf(this.frame);
    const layout = structuredClone(this.figure.layout);
    Object.assign(layout, { width, showlegend: false, paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: colour("panel") });
    const size = sizeOf(this.frame);
    layout.font = { ...layout.font, size: layout.font.size * size, color: colour("ink"), family: "system-ui, sans-serif" };
    layout.height *= size;
    layout.margin = { ...layout.margin, l: layout.margin.l * size, b: layout.margin.b * size };
    for (const [name, axis] of Object.entries(layout)) {
      if (!/^[xy]axis\d*$/.test(name)) continue;
      delete axis.title; // stands before the legend: plotly would measure it anew at every update
      // plotly would measure every tick label to see whether it overflows: none here does
      const lines = { gridcolor: colour("grid"), zerolinecolor: colour("grid"), linecolor: colour("quiet") };
      Object.assign(axis, { ticklabeloverflow: "allow", ...lines });
    }
    Object.assign(layout.xaxis, { range: [...range], showticklabels: false, ticks: "" });
    if (this.budgetRange) Object.assign(layout.yaxis, { range: [...this.budgetRange], autorange: false });
    if (width >= NARROW * size) return layout;
    layout.margin = { ...layout.margin, l: 64 * size, r: 6 };
    layout.height = Math.min(layout.height, SHORT * size);
    return layout;
  }

  // Legends of our own, each above its panel, in as many lines as it needs: plotly measures each of its legend's words anew
  // at every update, a third of its time. The panels share what is left of the height.
  drawLegends(layout) {
    const names = axesOf(layout);
    while (this.legends.children.length > names.length) this.legends.lastChild.remove();
    while (this.legends.children.length < names.length) this.legends.append(h("p", { class: "lmdk-panellegend" }));
    const rows = [...this.legends.children];
    const structure = JSON.stringify([layout.width, layout.font.size, names, this.figure.data.map((trace) => trace.yaxis)]);
    if (structure !== this.structure) this.heights = rows.map(() => 0);
    this.structure = structure;
    const changed = rows.map((row, k) => this.fillLegend(row, names[k], layout.width / layout.font.size));
    // a legend keeps its height while its numbers change: the panels stay where they are
    this.heights = this.heights.map((height, k) => (changed[k] || !height ? Math.max(height, rows[k].offsetHeight) : height));
    this.placePanels(layout, names, rows);
  }

  // Whether it may need another height now.
  fillLegend(row, name, width) {
    const traces = this.figure.data.filter((trace) => axisName(trace) === name && trace.showlegend !== false);
    const title = this.figure.layout[name].title.text;
    const key = JSON.stringify([width, title, traces.map((t) => [t.name, t.line?.dash])]);
    if (row.dataset.key === key) return false;
    row.dataset.key = key;
    row.replaceChildren(h("b", {}, `${title}: `), ...traces.map((t) => h("span", {}, sample(t), t.name)));
    const letters = `${width} ${row.textContent.length}`;
    const other = row.dataset.letters !== letters; // else as wide as before, near enough
    row.dataset.letters = letters;
    return other;
  }

  placePanels(layout, names, rows) {
    const spent = this.heights.reduce((a, b) => a + b, GAP * (names.length - 1));
    const { t, b } = layout.margin;
    layout.height = Math.max(layout.height, t + b + spent + LOW * names.length);
    const inner = layout.height - t - b;
    const high = (inner - spent) / names.length;
    let top = 0;
    names.forEach((name, k) => {
      rows[k].style.top = `${t + top}px`;
      top += this.heights[k];
      layout[name].domain = [1 - (top + high) / inner, 1 - top / inner].map((share) => Math.max(0, Math.min(1, share)));
      top += high + GAP;
    });
  }

  // Labels of the time axis of our own, made again only when the range changes.
  drawTicks(range, width) {
    const size = sizeOf(this.frame);
    const key = `${range} ${width} ${size} ${this.track.n} ${this.track.time[0]}`;
    const axis = this.plot._fullLayout.xaxis;
    if (key === this.ticksKey || !axis) return;
    this.ticksKey = key;
    const { height, margin } = this.plot._fullLayout;
    this.ticks.style.top = `${height - margin.b + 3}px`;
    const labels = ticks(this.track, range, width / size);
    const left = ({ at }) => `left:${axis._offset + axis.l2p(at)}px`;
    this.ticks.replaceChildren(...labels.map((label) => h("span", { style: left(label) }, ...label.lines.flatMap((line) => [line, h("br")]))));
  }

  setHovered(index) {
    this.hovered = index;
    const { xaxis, height, margin } = this.plot._fullLayout ?? {};
    const x = xaxis && index >= 0 ? xaxis.l2p(index) : -1;
    this.line.hidden = !(x >= 0 && x <= xaxis._length);
    if (this.line.hidden) return;
    const style = { transform: `translateX(${xaxis._offset + x}px)`, top: `${margin.t}px`, height: `${height - margin.t - margin.b}px` };
    Object.assign(this.line.style, style);
  }

  label(text) {
    this.plot.setAttribute("aria-label", `Timeline. ${text}`);
  }

  resized() {
    if (this.frame.clientWidth === this.lastWidth) return;
    this.lastWidth = this.frame.clientWidth;
    if (this.wired) this.recolour();
  }

  remove() {
    this.observer.disconnect();
    this.Plotly.purge(this.plot);
  }
}

const DASHES = { dot: "2 3", dash: "6 4", longdash: "10 5", dashdot: "7 3 2 3" };

// A short piece of the line, or of the bar, that a name in the legend stands for.
function sample({ type, line, marker }) {
  const own = typeof marker?.color === "string" ? marker.color : "var(--lmdk-regular)";
  const look = { stroke: line?.color ?? own, "stroke-dasharray": DASHES[line?.dash] ?? "none", "stroke-width": type === "bar" ? 8 : 2.5 };
  return svg("svg", { width: 24, height: 10 }, svg("line", { x2: 24, y1: 5, y2: 5, ...look }));
}

const manyMoreThan = (width, [from, to], n) => Math.min(n - 1, Math.ceil(to)) - Math.max(0, Math.floor(from)) + 1 > 2 * width;

const values = (trace, arrays) => (trace.y?.$ ? (arrays[trace.y.$] ?? new Float32Array(0)) : trace.y.map((v) => v ?? NaN));

// A trace with its arrays in place of their names.
function resolve(trace, arrays, range) {
  if (!trace.y?.$) return trace;
  const y = values(trace, arrays);
  const first = Math.max(0, Math.floor(range[0]));
  const last = Math.min(y.length - 1, Math.ceil(range[1]));
  const x = Array.from({ length: last - first + 1 }, (_, k) => first + k);
  const done = { ...trace, x, y: Array.from(y.subarray(first, last + 1), finite) };
  if (trace.marker?.color?.$) done.marker = { ...trace.marker, color: x.map((i) => arrays.colours[i]) };
  if (done.marker?.color !== trace.marker?.color && arrays.outline)
    done.marker.line = { color: arrays.outline.color, width: x.map((i) => arrays.outline.width[i]) };
  return done;
}

const finite = (value) => (Number.isFinite(value) ? value : null);

// A tick every so many pixels, at timestamps, with their names and times.
export function ticks(track, range, width) {
  const named = track.labels.length > 0 && track.n <= 30;
  const most = Math.max(2, Math.floor(width / (named ? 55 : 84)));
  const first = Math.max(0, Math.ceil(range[0]));
  const last = Math.min(track.n - 1, Math.floor(range[1]));
  const step = Math.max(1, Math.ceil((last - first + 1) / most));
  let lastDay = "";
  return Array.from({ length: Math.max(0, Math.ceil((last - first + 1) / step)) }, (_, k) => {
    const at = first + k * step;
    const today = shortDay(track.time[at]);
    const lines = [...(named ? [track.labels[at]] : []), clock(track.time[at]), ...(today === lastDay ? [] : [today])];
    lastDay = today;
    return { at, lines };
  });
}
