// The timeline of states with the chosen timestamp, its nearby set and its quilt. A long series is shown around the chosen
// timestamp, with the whole of it below. Click, tap, or the arrow keys choose; nothing is computed but where pixels go.
import { sized } from "../page/canvas.js";
import { button, h, onSize, setAttributes, setText, svg } from "../page/dom.js";
import { coloursOf, sizeOf } from "../page/theme.js";
import { band, chosen, clock, framed, quilt, rows, shown, steps, times } from "./timeline_marks.js";

const WHOLE = 420; // timestamps that are shown without an overview
const NARROW = 500; // pixels of a phone's width
const LEAST_HIGH = 210;
const AROUND = 380; // pixels of a page that stand above and below the timeline
const OVERVIEW = 54;

export class QuiltTimeline {
  // act: { choose(node), worst() }
  constructor(element, root, act) {
    this.root = root;
    this.act = act;
    this.detail = new Strip(roomy, this);
    this.overview = new Strip((_width, size) => OVERVIEW * size, this);
    this.overview.box.classList.add("lmdk-overview");
    this.overview.box.setAttribute("aria-hidden", "true");
    const { box } = this.detail;
    setAttributes(box, { role: "slider", tabindex: 0, "aria-label": "Chosen timestamp", "aria-valuemin": 1 });
    box.addEventListener("keydown", (event) => this.key(event));
    this.readout = h("p", { class: "lmdk-readout lmdk-oneline", "data-lmdk": "timeline" });
    this.worst = button("Hardest moment", () => act.worst());
    element.append(box, this.overview.box, h("div", { class: "lmdk-quiltbar" }, this.worst, legend()), this.readout);
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
    if (!(event.key in moves)) return;
    event.preventDefault();
    const next = Math.min(length - 1, Math.max(0, node + moves[event.key]));
    if (next !== node) this.choose(next);
  }

  choose(node) {
    this.node = node; // so that the next press continues from here, whatever is still on its way
    this.act.choose(node);
  }

  hover(node) {
    const { state } = this;
    if (!state || node < 0) {
      setText(this.readout, this.summary ?? "");
      return;
    }
    const time = clock(state, node);
    const needs = `${state.labels[state.states[node]]}, needs σ = ${Number(state.scale[node].toPrecision(3))}`;
    setText(this.readout, `Timestamp ${node + 1}${time ? `, ${time}` : ""}: ${needs}. Click to choose it.`);
  }

  // The part shown around the chosen timestamp: its nearby set and as much again.
  window() {
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
    const colours = palette(this.root);
    const range = this.window();
    const last = this.state.states.length - 1;
    const whole = range[0] === 0 && range[1] === last;
    this.overview.box.hidden = whole;
    this.detail.paint(this.state, range, colours, { labels: true });
    if (!whole) this.overview.paint(this.state, [0, last], colours, { frame: range });
  }
}

// One canvas with the states of a range of timestamps.
class Strip {
  // act: { choose(node), hover(node) }
  constructor(height, act) {
    this.height = height;
    this.canvas = h("canvas", {});
    this.box = h("div", { class: "lmdk-states" }, this.canvas);
    const at = (event) => this.index(event.clientX - this.canvas.getBoundingClientRect().left);
    this.box.addEventListener("click", (event) => at(event) >= 0 && act.choose(at(event)));
    this.box.addEventListener("pointermove", (event) => event.pointerType === "mouse" && act.hover(at(event)));
    this.box.addEventListener("pointerleave", () => act.hover(-1));
  }

  index(x) {
    if (!this.plot) return -1;
    const { left, width, range } = this.plot;
    if (x < left - 4 || x > left + width + 4) return -1;
    const found = Math.floor(range[0] + ((x - left) / width) * (range[1] - range[0] + 1));
    return Math.min(range[1], Math.max(range[0], found));
  }

  paint(state, range, colours, { labels = false, frame = null }) {
    const size = sizeOf(this.box);
    const { width } = this.box.getBoundingClientRect();
    if (width < 40) return;
    const height = this.height(width, size);
    const context = sized(this.canvas, width - 2, height);
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

function palette(root) {
  const of = { state: "regular", chosen: "landmark", ink: "ink", quiet: "quiet", grid: "grid", near: "near", hatch: "hatch", stitch: "stitch" };
  const colour = coloursOf(root);
  const colours = Object.fromEntries(Object.entries(of).map(([name, variable]) => [name, colour(variable)]));
  return { ...colours, font: getComputedStyle(root).fontFamily };
}

function legend() {
  const item = (text, ...parts) => h("span", {}, svg("svg", { width: 22, height: 16, "aria-hidden": "true" }, ...parts), text);
  const shape = (d, look) => svg("path", { d, ...look });
  const tint = svg("rect", { width: 22, height: 16, fill: "var(--lmdk-near)" });
  const diamond = shape("M11 1l7 7-7 7-7-7z", { fill: "var(--lmdk-landmark)", stroke: "var(--lmdk-ink)", "stroke-width": 1.5 });
  const hatch = shape("M-2 16L8 0M6 16L16 0M14 16L24 0", { stroke: "var(--lmdk-hatch)" });
  const brackets = shape("M3 2h5v12h-5M19 2h-5v12h5", { fill: "none", stroke: "var(--lmdk-stitch)", "stroke-width": 2.5 });
  return h("p", { class: "lmdk-legend" }, item("the moment", diamond), item("hidden with it", tint, hatch), item("where that ends", brackets));
}
