// The timeline of states with the chosen timestamp, its nearby set and its quilt. A long series is shown around the chosen
// timestamp, with the whole of it below. Click, tap, or the arrow keys choose; nothing is computed but where pixels go.
import { blank, paint, sized } from "../page/canvas.js";
import { TimeBrush } from "../page/chart_time.js";
import { button, h, onSize, setAttributes, setText, svg } from "../page/dom.js";
import { PICTURE } from "../page/palette.js";
import { saveButton } from "../page/save_chart.js";
import { reaching, zoomed } from "../page/span.js";
import { coloursOf, sizeOf } from "../page/theme.js";
import { band, chosen, clock, framed, quilt, rows, shown, steps, times } from "./timeline_marks.js";

const WHOLE = 420; // timestamps that are shown without an overview
const NARROW = 500; // pixels of a phone's width
const LEAST_HIGH = 210;
const AROUND = 380; // pixels of a page that stand above and below the timeline
const OVERVIEW = 54;
const KEYS = "Arrow keys choose a timestamp, plus and minus zoom in time, Escape shows all. Drag to show a part of the time; a double click shows all.";

export class QuiltTimeline {
  // act: { choose(node), worst(), look(span), hover(node), count(), picture({ title, canvas, key }, format) }
  constructor(element, root, act) {
    this.root = root;
    this.act = act;
    this.detail = new Strip(roomy, this);
    this.overview = new Strip((_width, size) => OVERVIEW * size, this);
    this.overview.box.classList.add("lmdk-overview");
    this.overview.box.setAttribute("aria-hidden", "true");
    const { box } = this.detail;
    const hint = h("p", { class: "lmdk-offscreen", id: `lmdk-hint-${Math.random().toString(36).slice(2)}` }, KEYS);
    setAttributes(box, { role: "slider", tabindex: 0, "aria-label": "Chosen timestamp", "aria-valuemin": 1, "aria-describedby": hint.id });
    box.addEventListener("keydown", (event) => this.key(event));
    this.readout = h("p", { class: "lmdk-readout lmdk-oneline", "data-lmdk": "timeline" });
    this.worst = button("Hardest moment", () => act.worst());
    const save = saveButton("the series", (format) => act.picture({ title: element.ariaLabel, key: MARKS, canvas: this.picture() }, format));
    const states = h("div", { class: "lmdk-statesframe" }, box, save);
    element.append(states, this.overview.box, h("div", { class: "lmdk-quiltbar" }, this.worst, legend()), hint, this.readout);
    /** @type {[number, number] | null} */
    this.span = null;
    this.remove = onSize(element, () => this.recolour());
  }

  // The words come before the drawing: from now on, the arrow keys continue from this timestamp (counted from 0).
  tell(node, length, summary) {
    this.node = node;
    this.length = length;
    this.summary = summary;
    setAttributes(this.detail.box, { "aria-valuemax": length, "aria-valuenow": node + 1, "aria-valuetext": summary });
    setText(this.readout, summary);
  }

  draw(timeline, { states, scale }) {
    this.state = { ...timeline, states, scale };
    this.recolour();
  }

  key(event) {
    if (!this.length || event.ctrlKey || event.metaKey || event.altKey) return;
    const { node, length } = this;
    const moves = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10, Home: -length, End: length };
    const zooms = { "+": 0.5, "=": 0.5, "-": 2 };
    if (event.key in zooms) this.act.look(zoomed(this.span ?? this.window(), node, zooms[event.key], length));
    else if (event.key === "Escape" && this.span) this.act.look(null);
    else if (!(event.key in moves)) return;
    event.preventDefault();
    if (!(event.key in moves)) return;
    const next = Math.min(length - 1, Math.max(0, node + moves[event.key]));
    if (next !== node) this.choose(next);
  }

  choose(node) {
    this.node = node; // so that the next press continues from here, whatever is still on its way
    const span = reaching(this.span, node, this.length);
    if (span !== this.span) this.act.look(span);
    this.act.choose(node);
  }

  look(span) {
    this.act.look(span);
  }

  count() {
    return this.length;
  }

  hover(node) {
    this.act.hover(node);
  }

  setSpan(span) {
    this.span = span;
    this.recolour();
  }

  // The timestamp that is pointed at, in this view or another one: its line and its readout; -1: none is.
  point(node) {
    const { state } = this;
    for (const strip of [this.detail, this.overview]) strip.point(node);
    if (!state || node < 0) {
      setText(this.readout, this.summary ?? "");
      return;
    }
    const time = clock(state, node);
    const needs = `${state.labels[state.states[node]]}, needs σ = ${Number(state.scale[node].toPrecision(3))}`;
    setText(this.readout, `Timestamp ${node + 1}${time ? `, ${time}` : ""}: ${needs}. Click to choose it.`);
  }

  // The part that is asked for; else that around the chosen timestamp: its nearby set and as much again.
  window() {
    if (this.span) return this.span;
    const { node, nearby, states } = this.state;
    const last = states.length - 1;
    const near = nearby[1] - nearby[0];
    const half = Math.min(WHOLE / 2 - 1 + near, Math.max(60, Math.round(1.2 * near)));
    if (states.length <= WHOLE || 2 * half >= last) return [0, last];
    const first = Math.min(Math.max(0, node - half), last - 2 * half);
    return [first, first + 2 * half];
  }

  recolour() {
    if (!this.state) return;
    const colours = palette(this.root, coloursOf(this.root));
    const range = this.window();
    const last = this.state.states.length - 1;
    const whole = range[0] === 0 && range[1] === last;
    this.overview.box.hidden = whole;
    this.detail.paint(this.state, range, colours, { labels: true });
    if (!whole) this.overview.paint(this.state, [0, last], colours, { frame: range });
  }

  // What is seen as a canvas of its own, in light colours.
  picture() {
    let made = /** @type {any} */ (null);
    const emptied = (width, height) => {
      made = blank(width, height);
      paint(made, { fill: PICTURE.panel }, 0, 0, width, height);
      return made;
    };
    const twin = Object.assign(Object.create(this.detail), { emptied });
    twin.paint(
      this.state,
      this.window(),
      palette(this.root, (name) => PICTURE[name]),
      { labels: true },
    );
    return made.canvas;
  }
}

// One canvas with the states of a range of timestamps.
class Strip {
  // act: { choose(node), hover(node), look(span), count() }
  constructor(height, act) {
    this.height = height;
    this.canvas = h("canvas", {});
    this.line = h("div", { class: "lmdk-hoverline", hidden: true });
    this.box = h("div", { class: "lmdk-states" }, this.canvas, this.line);
    this.brush = new TimeBrush(this.box, ({ clientX }) => this.place(clientX - this.canvas.getBoundingClientRect().left) - 0.5, act);
    const at = (event) => this.index(event.clientX - this.canvas.getBoundingClientRect().left);
    this.box.addEventListener("click", (event) => at(event) >= 0 && act.choose(at(event)));
    this.box.addEventListener("pointermove", (event) => event.pointerType === "mouse" && !event.buttons && act.hover(at(event)));
    this.box.addEventListener("pointerleave", () => act.hover(-1));
  }

  index(x) {
    if (!this.plot) return -1;
    const { left, width, range } = this.plot;
    if (x < left - 4 || x > left + width + 4) return -1;
    const found = Math.floor(this.place(x));
    return Math.min(range[1], Math.max(range[0], found));
  }

  // Where a pixel is on the axis: a timestamp reaches from its number to the next.
  place(x) {
    const { left, width, range } = this.plot;
    return range[0] + ((x - left) / width) * (range[1] - range[0] + 1);
  }

  point(node) {
    const { left, width, range, top, height } = this.plot ?? { range: [0, -1] };
    this.line.hidden = !(node >= range[0] && node <= range[1]);
    if (this.line.hidden) return;
    const x = left + ((node - range[0] + 0.5) / (range[1] - range[0] + 1)) * width;
    Object.assign(this.line.style, { transform: `translateX(${x}px)`, top: `${top}px`, height: `${height}px` });
  }

  emptied(width, height) {
    return sized(this.canvas, width, height);
  }

  paint(state, range, colours, { labels = false, frame = null }) {
    const size = sizeOf(this.box);
    const { width } = this.box.getBoundingClientRect();
    if (width < 40) return;
    const height = this.height(width, size);
    const context = this.emptied(width - 2, height);
    context.font = `${12 * size}px ${colours.font}`;
    const gutter = labels ? Math.min(width * 0.28, 12 + Math.max(...shown(state.labels).map((k) => context.measureText(state.labels[k]).width))) : 6;
    const plot = { left: gutter, top: labels ? 24 * size : 6, width: width - 10 - gutter, height: height - (labels ? 46 * size : 12), range };
    this.plot = plot;
    setAttributes(this.box, { "data-left": plot.left, "data-width": plot.width, "data-range": range.join(" ") });
    const unit = plot.width / (range[1] - range[0] + 1);
    const draw = { context, plot, colours, state, x: (t) => plot.left + (t - range[0]) * unit, unit, detailed: labels };
    if (labels) rows(draw);
    band(draw);
    steps(draw);
    quilt(draw);
    chosen(draw);
    if (labels) times(draw);
    if (frame) framed(draw, frame);
  }
}

// As high as the page has room for beside the answers, wide; on a phone low, so that the slider is in view.
const roomy = (width, size) => Math.max(LEAST_HIGH * size, width < NARROW ? 0 : window.innerHeight - AROUND * size);

function palette(root, colour) {
  const of = { state: "regular", chosen: "landmark", ink: "ink", quiet: "quiet", grid: "grid", near: "near", hatch: "hatch", stitch: "stitch" };
  const colours = Object.fromEntries(Object.entries(of).map(([name, variable]) => [name, colour(variable)]));
  return { ...colours, font: getComputedStyle(root).fontFamily };
}

const [MOMENT, HIDDEN, ENDS] = ["the moment", "hidden with it", "where that ends"];
const MARKS = `◆ ${MOMENT}; hatched: ${HIDDEN}; [ ]: ${ENDS}`;

function legend() {
  const item = (text, ...parts) => h("span", {}, svg("svg", { width: 22, height: 16, "aria-hidden": "true" }, ...parts), text);
  const shape = (d, look) => svg("path", { d, ...look });
  const tint = svg("rect", { width: 22, height: 16, fill: "var(--lmdk-near)" });
  const diamond = shape("M11 1l7 7-7 7-7-7z", { fill: "var(--lmdk-landmark)", stroke: "var(--lmdk-ink)", "stroke-width": 1.5 });
  const hatch = shape("M-2 16L8 0M6 16L16 0M14 16L24 0", { stroke: "var(--lmdk-hatch)" });
  const brackets = shape("M3 2h5v12h-5M19 2h-5v12h5", { fill: "none", stroke: "var(--lmdk-stitch)", "stroke-width": 2.5 });
  return h("p", { class: "lmdk-legend" }, item(MOMENT, diamond), item(HIDDEN, tint, hatch), item(ENDS, brackets));
}
