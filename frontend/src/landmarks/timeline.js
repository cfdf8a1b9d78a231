// The timeline: one plotly figure with stacked panels on one axis of timestamps, from a description made by Python in
// which {"$": "budgets"} stands for an array. More timestamps than pixels: plotly keeps the axes alone, whose ranges are
// set here, and the lines are drawn as the least and the greatest value of each pixel. Hovering and clicking are read off
// the axis here, so that they work in every panel and cost plotly nothing.

import { h } from "../page/dom.js";
import { clock, shortDay } from "../page/format.js";
import { DenseLines, ranges } from "./dense.js";

const AXES = ["y", "y2", "y3"];
const NARROW = 420; // pixels
const CONFIG = { responsive: false, displaylogo: false, displayModeBar: false, scrollZoom: false, doubleClick: false };

export class Timeline {
  // act: { toggle(index), hover(index) }
  constructor(element, Plotly, act) {
    this.Plotly = Plotly;
    this.act = act;
    this.plot = h("div", { class: "lmdk-plot", role: "img", "aria-label": "Timeline" });
    this.line = h("div", { class: "lmdk-hoverline", hidden: true });
    this.legends = AXES.map(() => h("p", { class: "lmdk-panellegend", "aria-hidden": "true" }));
    this.ticks = h("div", { class: "lmdk-ticks", "aria-hidden": "true" });
    this.frame = h("div", { class: "lmdk-plotframe" }, this.plot, this.line, this.ticks, ...this.legends);
    this.dense = new DenseLines(this.frame);
    element.append(this.frame);
    /** @type {[number, number] | null} */
    this.range = null;
    this.listen();
    this.observer = new ResizeObserver(() => this.resized());
    this.observer.observe(this.frame);
  }

  listen() {
    this.frame.addEventListener("pointermove", (event) => {
      if (event.pointerType === "mouse" && !event.buttons) this.act.hover(this.index(event));
    });
    this.frame.addEventListener("pointerleave", () => this.act.hover(-1));
    this.frame.addEventListener(
      "pointerdown",
      (down) => {
        const up = (event) => {
          window.removeEventListener("pointerup", up, true);
          if (Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > 4) return;
          const found = this.index(event);
          if (found >= 0) this.act.toggle(found);
        };
        if (down.button === 0 && !down.target.closest(".modebar")) {
          window.addEventListener("pointerup", up, true);
        }
      },
      true,
    );
  }

  // The timestamp under the pointer, or -1 outside the panels.
  index(event) {
    const layout = this.plot._fullLayout;
    if (!layout?.xaxis || !this.track) return -1;
    const box = this.plot.getBoundingClientRect();
    const x = event.clientX - box.left - layout.xaxis._offset;
    const y = event.clientY - box.top;
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
  async draw(figure, arrays) {
    this.figure = figure;
    this.arrays = arrays;
    await this.react();
  }

  async react() {
    if (!this.figure || !this.track) return;
    const width = this.frame.clientWidth || 800;
    const range = this.range ?? [-0.5 - this.track.n * 0.005, this.track.n - 0.5 + this.track.n * 0.005];
    const layout = this.dressed(range, width);
    const lines = manyMoreThan(width, range, this.track.n) ? this.figure.data.map((trace) => ({ trace, y: values(trace, this.arrays) })) : [];
    if (lines.length) await this.reactAxes(layout, ranges(lines, range, layout));
    else await this.reactAll(layout, range);
    this.dense.draw(lines, this.plot._fullLayout, range, this.paper);
    this.drawLegends(layout);
    this.drawTicks(range, width);
    if (!this.wired) this.wire();
    this.setHovered(this.hovered ?? -1);
  }

  async reactAll(layout, range) {
    this.axes = null;
    await this.Plotly.react(
      this.plot,
      this.figure.data.map((trace) => resolve(trace, this.arrays, range)),
      layout,
      CONFIG,
    );
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
    const empty = AXES.map((yaxis) => ({ type: "scatter", mode: "none", x: [0], y: [1], yaxis, hoverinfo: "skip" }));
    await this.Plotly.react(this.plot, empty, layout, CONFIG);
  }

  wire() {
    this.wired = true;
    this.plot.on("plotly_relayout", (change) => {
      const [from, to] = [change["xaxis.range[0]"], change["xaxis.range[1]"]];
      if (from === undefined || to === undefined || to - from < 1) return;
      this.range = [from, to];
      this.react();
    });
    this.plot.on("plotly_doubleclick", () => this.reset());
  }

  reset() {
    this.range = null;
    this.react();
  }

  dressed(range, width) {
    const style = getComputedStyle(this.frame);
    const colour = (name) => style.getPropertyValue(`--lmdk-${name}`).trim();
    const layout = structuredClone(this.figure.layout);
    layout.width = width;
    layout.paper_bgcolor = "rgba(0,0,0,0)";
    layout.plot_bgcolor = colour("panel");
    layout.font = { ...layout.font, color: colour("ink"), family: "system-ui, sans-serif" };
    for (const [name, axis] of Object.entries(layout)) {
      if (!/^[xy]axis\d*$/.test(name)) continue;
      // plotly would measure every tick label to see whether it overflows: none here does
      Object.assign(axis, { ticklabeloverflow: "allow" });
      delete axis.title; // stands before the legend: plotly would measure it anew at every update
      Object.assign(axis, { gridcolor: colour("grid"), zerolinecolor: colour("grid"), linecolor: colour("quiet") });
    }
    layout.xaxis = { ...layout.xaxis, range: [...range], showticklabels: false, ticks: "" };
    layout.margin = { ...layout.margin, ...(width < NARROW ? { l: 64, r: 6 } : {}) };
    layout.showlegend = false;
    return layout;
  }

  // Legends of our own: plotly measures each of its legend's words anew at every update, a third of its time.
  drawLegends(layout) {
    const inner = layout.height - layout.margin.t - layout.margin.b;
    // too narrow for one line above each panel: they follow below, with the name of the panel
    const narrow = layout.width < NARROW;
    this.frame.classList.toggle("lmdk-narrow", narrow);
    const changed = [];
    AXES.forEach((axis, k) => {
      const row = this.legends[k];
      const traces = this.figure.data.filter((trace) => trace.yaxis === axis && trace.showlegend !== false);
      const title = this.figure.layout[`yaxis${axis.slice(1)}`].title.text;
      const key = JSON.stringify([layout.width, title, traces.map((t) => [t.name, t.line?.dash])]);
      row.style.left = "4px";
      row.style.top = `${layout.margin.t + (1 - layout[`yaxis${axis.slice(1)}`].domain[1]) * inner - 19}px`;
      if (row.dataset.key === key) return;
      row.dataset.key = key;
      row.replaceChildren(h("b", {}, `${title}: `), ...traces.map((t) => h("span", {}, sample(t), t.name)));
      const letters = `${layout.width} ${row.textContent.length}`;
      if (row.dataset.letters === letters) return; // as wide as before, near enough
      row.dataset.letters = letters;
      row.classList.remove("lmdk-tight");
      changed.push(row);
    });
    const tight = changed.filter((row) => row.scrollWidth > row.clientWidth); // all measured before any is changed
    for (const row of tight) row.classList.add("lmdk-tight");
  }

  // Labels of the time axis of our own, made again only when the range changes.
  drawTicks(range, width) {
    const key = `${range} ${width} ${this.track.n} ${this.track.time[0]}`;
    const axis = this.plot._fullLayout.xaxis;
    if (key === this.ticksKey || !axis) return;
    this.ticksKey = key;
    const { height, margin } = this.plot._fullLayout;
    this.ticks.style.top = `${height - margin.b + 3}px`;
    this.ticks.replaceChildren(
      ...ticks(this.track, range, width).map(({ at, lines }) =>
        h("span", { style: `left:${axis._offset + axis.l2p(at)}px` }, ...lines.flatMap((line) => [line, h("br")])),
      ),
    );
  }

  setHovered(index) {
    this.hovered = index;
    const layout = this.plot._fullLayout;
    if (index < 0 || !layout?.xaxis) {
      this.line.hidden = true;
      return;
    }
    const x = layout.xaxis._offset + layout.xaxis.l2p(index);
    const seen = x >= layout.xaxis._offset && x <= layout.xaxis._offset + layout.xaxis._length;
    this.line.hidden = !seen;
    this.line.style.transform = `translateX(${x}px)`;
    this.line.style.top = `${layout.margin.t}px`;
    this.line.style.height = `${layout.height - layout.margin.t - layout.margin.b}px`;
  }

  label(text) {
    this.plot.setAttribute("aria-label", `Timeline. ${text}`);
  }

  resized() {
    if (this.frame.clientWidth !== this.lastWidth) {
      this.lastWidth = this.frame.clientWidth;
      if (this.wired) this.react();
    }
  }

  remove() {
    this.observer.disconnect();
    this.Plotly.purge(this.plot);
  }
}

const DASHES = { dot: "2 3", dash: "6 4", longdash: "10 5", dashdot: "7 3 2 3" };

// A short piece of the line, or of the bar, that a name in the legend stands for.
function sample(trace) {
  const own = trace.marker?.color;
  const colour = trace.line?.color ?? (typeof own === "string" ? own : "var(--lmdk-regular)");
  const dash = DASHES[trace.line?.dash] ?? "none";
  const mark = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  mark.setAttribute("width", "24");
  mark.setAttribute("height", "10");
  const line = document.createElementNS("http://www.w3.org/2000/svg", "line");
  const shape = { x1: 0, x2: 24, y1: 5, y2: 5, stroke: colour, "stroke-dasharray": dash, "stroke-width": trace.type === "bar" ? 8 : 2.5 };
  for (const [name, value] of Object.entries(shape)) line.setAttribute(name, value);
  mark.append(line);
  return mark;
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
  return done;
}

const finite = (value) => (Number.isFinite(value) ? value : null);

// A tick every so many pixels, at timestamps, with their names and times.
function ticks(track, range, width) {
  const named = track.labels.length > 0 && track.n <= 30;
  const most = Math.max(2, Math.floor(width / (named ? 55 : 84)));
  const first = Math.max(0, Math.ceil(range[0]));
  const last = Math.min(track.n - 1, Math.floor(range[1]));
  const step = Math.max(1, Math.ceil((last - first + 1) / most));
  const found = [];
  let lastDay = "";
  for (let i = first; i <= last; i += step) {
    const today = shortDay(track.time[i]);
    const lines = [...(named ? [track.labels[i]] : []), clock(track.time[i]), ...(today === lastDay ? [] : [today])];
    found.push({ at: i, lines });
    lastDay = today;
  }
  return found;
}
