// The timeline: stacked panels on one axis of timestamps, from a description made by Python in which {"$": "budgets"} stands
// for an array. More timestamps than pixels: the lines are drawn on a canvas as the smallest and the largest value of each pixel,
// and the panels over it are empty. Hovering, clicking and zooming are read off the axis, so that they work in every panel.

import { measureIn } from "../page/chart.js";
import { h, onSize } from "../page/dom.js";
import { figureSvg } from "../page/figure.js";
import { clock, shortDay } from "../page/format.js";
import { reached } from "../page/marking.js";
import { saveButton } from "../page/save_chart.js";
import { endsOfSpan, reaching, spanned, zoomed } from "../page/span.js";
import { coloursOf, sizeOf } from "../page/theme.js";
import { axesOf, axisName, DenseLines, ranges } from "./dense.js";
import { panelPicture } from "./panel_picture.js";
import { Readouts, sample, values } from "./panel_readouts.js";

const GAP = 9; // pixels between a panel and the legend of the next one
const ABOVE = 5; // pixels between a legend and its panel, for the upper half of a label at the top of the axis
const HIDDEN = 800; // pixels of its width while its tab is closed
const EDGE = 12; // pixels between a timeline and the foot of the window
const LOW = 60; // pixels that a panel has at least
const NARROW = 420; // pixels
const SHORT = 450; // pixels: the height of a narrow timeline, which stands beside the map on a small screen
const FAMILY = "system-ui, sans-serif";
const STILL = 4; // pixels: a shorter drag is a click, a longer one selects the part of the axis that all views show
const KEYS =
  "Left and right arrows go from timestamp to timestamp, space marks or unmarks a landmark, plus and minus zoom in time, Escape shows all. " +
  "Drag to show a part of the time; a double click shows all.";
let made = 0;

export class Timeline {
  // act: { toggle(index), press(index), hover(index), look(span) }, press: by a click; writes: how the values of an axis are
  // written, by its name; label: of the whole; save({ title, figure }, format): a panel as a file
  constructor(element, act, { label, writes, save }) {
    this.act = act;
    this.save = save;
    this.prefix = `t${++made}-`;
    this.plot = h("div", { class: "lmdk-plot", role: "img", "aria-label": "Timeline" });
    this.line = h("div", { class: "lmdk-hoverline", hidden: true });
    this.legends = h("div", { "aria-hidden": "true" });
    this.band = h("div", { class: "lmdk-zoomband", hidden: true });
    this.ticks = h("div", { class: "lmdk-ticks", "aria-hidden": "true" });
    this.hint = h("p", { class: "lmdk-offscreen", id: `lmdk-hint-${this.prefix}${Math.random().toString(36).slice(2)}` }, KEYS);
    this.readouts = new Readouts(writes);
    this.saves = h("div", {});
    const said = { role: "application", tabindex: "0", "aria-label": label, "aria-roledescription": "charts", "aria-describedby": this.hint.id };
    const over = [this.line, this.band, this.ticks, this.legends, this.readouts.element, this.saves, this.hint];
    this.frame = h("div", { class: "lmdk-plotframe", ...said }, this.plot, ...over);
    this.dense = new DenseLines(this.frame);
    element.append(this.frame);
    /** @type {number[] | null} */
    this.span = null;
    /** @type {[number, number] | null} of the budgets, while one is dragged */
    this.budgetRange = null;
    this.drawn = () => {};
    this.legendRooms = {}; // by width, panels and lines: the room of each legend
    this.listen();
    this.remove = onSize(this.frame, () => this.resized());
  }

  listen() {
    this.frame.addEventListener("pointermove", (event) => {
      if (event.pointerType === "mouse" && !event.buttons) this.act.hover(this.index(event));
    });
    this.frame.addEventListener("pointerleave", () => this.act.hover(-1));
    this.frame.addEventListener("dblclick", () => this.span && this.act.look(null));
    this.frame.addEventListener("keydown", (event) => !event.altKey && !event.ctrlKey && !event.metaKey && this.key(event));
    this.frame.addEventListener("pointerdown", (event) => event.button === 0 && this.press(event), true);
  }

  // A click marks, a way along the axis shows that part of it; what is dragged by its handle is neither.
  press(down) {
    if (down.target.closest("button")) return;
    const handle = down.target.closest(".lmdk-handle");
    const along = ({ clientX }) => {
      const { offset, length } = this.drawing.axes.xaxis;
      return Math.max(offset, Math.min(offset + length, clientX - this.plot.getBoundingClientRect().left));
    };
    const far = ({ clientX, clientY }) => Math.hypot(clientX - down.clientX, clientY - down.clientY) > STILL;
    const zooms = !handle && this.index(down) >= 0;
    const move = (event) => {
      if (!zooms || !far(event)) return;
      const [from, to] = [along(down), along(event)].sort((a, b) => a - b);
      this.band.hidden = false;
      Object.assign(this.band.style, { left: `${from}px`, width: `${to - from}px`, ...this.inside() });
    };
    const up = (event) => {
      end();
      if (!far(event)) {
        const found = this.index(event);
        if (found >= 0) this.act.press(found);
      } else if (zooms) {
        const [from, to] = [down, event].map((end) => this.drawing.axes.xaxis.back(along(end)));
        const span = spanned(from, to, this.track.n);
        if (span) this.act.look(span);
      }
    };
    const end = () => {
      this.band.hidden = true;
      for (const [name, act] of Object.entries(heard)) window.removeEventListener(name, act, true);
    };
    const heard = { pointermove: move, pointerup: up, pointercancel: end };
    for (const [name, act] of Object.entries(heard)) window.addEventListener(name, act, true);
  }

  setSpan(span) {
    this.span = span;
    this.recolour();
  }

  key(event) {
    if (!this.track || event.target !== this.frame) return;
    const { n } = this.track;
    const now = this.hovered ?? -1;
    const next = reached(event.key, now < 0 && this.span ? this.span[0] - 1 : now, [0, n - 1]);
    if (next !== undefined) {
      const span = reaching(this.span, next, n);
      if (span !== this.span) this.act.look(span);
      this.act.hover(next);
    } else if ((event.key === " " || event.key === "Enter") && now >= 0) this.act.toggle(now);
    else if (event.key === "+" || event.key === "=") this.act.look(zoomed(this.span, now, 0.5, n));
    else if (event.key === "-") this.act.look(zoomed(this.span, now, 2, n));
    else if (event.key === "Escape" && this.span) this.act.look(null);
    else return;
    event.preventDefault();
  }

  // The timestamp under the pointer, or -1 outside the panels.
  index({ clientX, clientY }) {
    if (!this.drawing || !this.track) return -1;
    const { axes, margin, height } = this.drawing;
    const { offset, length } = axes.xaxis;
    const box = this.plot.getBoundingClientRect();
    const [x, y] = [clientX - box.left, clientY - box.top];
    if (x < offset || x > offset + length || y < margin.t || y > height - margin.b) return -1;
    const found = Math.round(axes.xaxis.back(x));
    return found >= 0 && found < this.track.n ? found : -1;
  }

  // Where the panels lie, for what lies over them.
  inside() {
    const { margin, height } = this.drawing;
    return { top: `${margin.t}px`, height: `${height - margin.t - margin.b}px` };
  }

  setTrack(track) {
    this.track = track;
    this.span = null;
    this.line.hidden = true;
  }

  // Draws a description with its arrays.
  draw(figure, arrays) {
    this.figure = figure;
    this.arrays = arrays;
    this.recolour();
  }

  recolour() {
    if (!this.figure || !this.track) return;
    const { n } = this.track;
    this.lastWidth ??= this.frame.clientWidth; // asked at every move, it would lay out the page before all has been written
    const width = this.lastWidth || HIDDEN;
    const [first, last] = endsOfSpan(this.span, n);
    const room = 0.5 + (last - first + 1) * 0.005;
    const range = /** @type {[number, number]} */ ([first - room, last + room]);
    const colour = coloursOf(this.frame);
    const layout = this.dressed(width);
    this.drawLegends(layout);
    const lines = this.figure.data.map((trace) => ({ trace, y: values(trace, this.arrays) }));
    const many = manyMoreThan(width, range, n);
    const data = many ? [] : this.figure.data.map((trace) => resolve(trace, this.arrays, range));
    /** @type {any} */
    const shown = { ...ranges(lines, range, layout), xaxis: range };
    if (this.budgetRange) shown.yaxis = this.budgetRange;
    const look = { colour: (name) => (many && name === "panel" ? "none" : colour(name)), size: 1, family: FAMILY };
    const fixed = { margin: layout.margin, ranges: shown };
    this.drawing = figureSvg({ data, layout }, look, width, { measure: measureIn(FAMILY), prefix: this.prefix, fixed });
    this.plot.drawn = this.drawing;
    this.plot.innerHTML = this.drawing.text;
    this.dense.draw(many ? lines : [], this.drawing, range, colour("panel"));
    this.drawTicks(range, width);
    this.setHovered(this.hovered ?? -1);
    this.drawn();
  }

  dressed(width) {
    const layout = structuredClone(this.figure.layout);
    const size = sizeOf(this.frame);
    layout.width = width;
    layout.font = { ...layout.font, size: layout.font.size * size };
    layout.height *= size;
    layout.margin = { ...layout.margin, l: layout.margin.l * size, b: layout.margin.b * size };
    for (const name of axesOf(layout)) delete layout[name].title; // stands before the legend
    layout.xaxis = { showticklabels: false };
    if (width >= NARROW * size) return layout;
    layout.margin = { ...layout.margin, l: 64 * size, r: 6 };
    layout.height = Math.min(layout.height, SHORT * size, this.roomBelow(size));
    return layout;
  }

  // In presentation mode, all panels are in view as the page opens, if they begin on its first screen.
  roomBelow(size) {
    if (size <= 1) return Number.POSITIVE_INFINITY; // before the page is laid out for the answer
    const top = this.frame.getBoundingClientRect().top + window.scrollY;
    return top < window.innerHeight / 2 ? window.innerHeight - top - EDGE : Number.POSITIVE_INFINITY;
  }

  // Legends, each above its panel, in as many lines as it needs. The panels share what is left of the height.
  drawLegends(layout) {
    const names = axesOf(layout);
    while (this.legends.children.length > names.length) this.legends.lastChild.remove();
    while (this.legends.children.length < names.length) this.legends.append(h("p", { class: "lmdk-panellegend" }));
    const rows = [...this.legends.children];
    this.placeSaves();
    const structure = JSON.stringify([layout.width, layout.font.size, names, this.figure.data.map((trace) => trace.yaxis)]);
    this.legendRooms[structure] ??= rows.map(() => ({ height: 0, letters: 0 }));
    // a legend keeps its height while its numbers change: the panels stay where they are. It is measured again only with more
    // letters than before, as that lays out the page.
    this.heights = this.legendRooms[structure].map((room, k) => {
      const letters = this.fillLegend(rows[k], names[k], layout.width / layout.font.size);
      if (letters > room.letters) Object.assign(room, { letters, height: Math.max(room.height, rows[k].offsetHeight) });
      return room.height;
    });
    this.placePanels(layout, names, rows);
  }

  // A button at the right end of each legend.
  placeSaves() {
    const { panels } = this.figure.layout.meta;
    const named = axesOf(this.figure.layout).map((name) => panels.find(([axis]) => axisName({ yaxis: axis }) === name));
    const key = JSON.stringify(named);
    if (key === this.savesKey) return;
    this.savesKey = key;
    const save = (panel) => (format) => this.save(panelPicture(this, panel), format);
    this.saves.replaceChildren(...named.map((panel) => saveButton(`“${panel[2]}”`, save(panel))));
  }

  // How many letters it has now.
  fillLegend(row, name, width) {
    const traces = this.figure.data.filter((trace) => axisName(trace) === name && trace.showlegend !== false);
    const title = this.figure.layout[name].title.text;
    const key = JSON.stringify([width, title, traces.map((t) => [t.name, t.line?.dash])]);
    if (row.dataset.key !== key) row.replaceChildren(h("b", {}, `${title}: `), ...traces.map((t) => h("span", {}, sample(t), t.name)));
    row.dataset.key = key;
    return row.textContent.length;
  }

  placePanels(layout, names, rows) {
    const above = ABOVE * sizeOf(this.frame);
    const spent = this.heights.reduce((a, b) => a + b + above, GAP * (names.length - 1));
    const { t, b } = layout.margin;
    layout.height = Math.max(layout.height, t + b + spent + LOW * names.length);
    const inner = layout.height - t - b;
    const high = (inner - spent) / names.length;
    let top = 0;
    names.forEach((name, k) => {
      rows[k].style.top = this.saves.children[k].style.top = `${t + top}px`;
      top += this.heights[k] + above;
      layout[name].domain = [1 - (top + high) / inner, 1 - top / inner].map((share) => Math.max(0, Math.min(1, share)));
      top += high + GAP;
    });
  }

  // Labels of the time axis, made again only when the range changes.
  drawTicks(range, width) {
    const size = sizeOf(this.frame);
    const key = `${range} ${width} ${size} ${this.track.n} ${this.track.time[0]}`;
    const { height, margin, axes } = this.drawing;
    this.ticks.style.top = `${height - margin.b + 3}px`;
    if (key === this.ticksKey) return;
    this.ticksKey = key;
    const labels = ticks(this.track, range, width / size);
    const left = ({ at }) => `left:${axes.xaxis.pixel(at)}px`;
    this.ticks.replaceChildren(...labels.map((label) => h("span", { style: left(label) }, ...label.lines.flatMap((line) => [line, h("br")]))));
  }

  setHovered(index) {
    this.hovered = index;
    if (!this.drawing) return;
    const { xaxis } = this.drawing.axes;
    const x = index >= 0 ? xaxis.pixel(index) : -1;
    this.line.hidden = !(x >= xaxis.offset && x <= xaxis.offset + xaxis.length);
    if (!this.line.hidden) Object.assign(this.line.style, { transform: `translateX(${x}px)`, ...this.inside() });
    this.readouts.show(this.line.hidden ? -1 : index, x, this);
  }

  label(text) {
    this.plot.setAttribute("aria-label", `Timeline. ${text}`);
  }

  resized() {
    if (this.frame.clientWidth === this.lastWidth) return;
    this.lastWidth = this.frame.clientWidth;
    this.recolour();
  }
}

const manyMoreThan = (width, [from, to], n) => Math.min(n - 1, Math.ceil(to)) - Math.max(0, Math.floor(from)) + 1 > 2 * width;

// A trace with its arrays instead of their names.
export function resolve(trace, arrays, range) {
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

// Ticks at timestamps, a minimum of pixels apart, with their names and times.
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
