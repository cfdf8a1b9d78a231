// Draw the curve: drag across the chart, or move the points by arrow keys. The computed curve appears over the drawn one.
import { h, onSize, setAttributes, svg } from "../page/dom.js";
import { amount } from "../page/format.js";
import { Axis } from "./axis.js";

const HEIGHT = 300;
const ROOM = { left: 60, right: 6, top: 12, bottom: 48 };
const INSET = 14; // pixels between the ends of the chart and the first and the last point
const REACH = 14; // pixels: a point this near to the pointer follows it
const STEPS = { ArrowUp: 0.02, ArrowDown: -0.02, PageUp: 0.1, PageDown: -0.1 };
const LETTER = 7; // pixels, about

export class Curve {
  constructor(asked, { label, changed }) {
    this.asked = asked;
    this.changed = changed;
    this.x = new Axis(asked.x[0], asked.x.at(-1), asked.log_x);
    this.y = new Axis(asked.low, asked.high, asked.log);
    this.heights = asked.x.map(() => null);
    this.computed = null;
    this.width = 0;
    this.frame = svg("g", { class: "lmdk-axes", "aria-hidden": "true" });
    this.area = svg("rect", { class: "lmdk-plotarea" });
    this.over = svg("path", { class: "lmdk-computed" });
    this.marks = svg("g", { class: "lmdk-computedmarks", "aria-hidden": "true" });
    this.mine = svg("path", { class: "lmdk-mine" });
    this.points = asked.x.map((_, k) => this.point(k));
    const points = svg("g", { role: "group", "aria-labelledby": label }, ...this.points);
    this.svg = svg("svg", { class: "lmdk-drawing", height: HEIGHT }, this.area, this.frame, this.mine, points, this.over, this.marks);
    this.legend = h("p", { class: "lmdk-legend", hidden: true });
    this.element = h("div", { class: "lmdk-curve" }, this.svg, this.legend);
    this.missing = "Draw the curve at every point first.";
    this.hint = "Drag across the chart to draw. Keys: left and right choose a point, up and down move it.";
    this.listen();
    this.remove = onSize(this.element, () => this.resize());
  }

  point(k) {
    const { labels, x_title: title, low, high } = this.asked;
    const said = { role: "slider", "aria-label": `${title} ${labels[k]}`, "aria-orientation": "vertical", "aria-valuemin": low, "aria-valuemax": high };
    const point = svg("circle", { class: "lmdk-point", r: 7, tabindex: k ? -1 : 0, ...said });
    point.addEventListener("keydown", (event) => this.key(/** @type {KeyboardEvent} */ (event), k));
    point.addEventListener("focus", () => this.points.forEach((other, j) => setAttributes(other, { tabindex: j === k ? 0 : -1 })));
    return point;
  }

  // -- from the user -------------------------------------------------------------------------------------------------

  key(event, k) {
    const to = { ArrowLeft: k - 1, ArrowRight: k + 1 }[event.key];
    const by = STEPS[event.key];
    const end = { Home: 0, End: 1 }[event.key];
    if (to === undefined && by === undefined && end === undefined) return;
    event.preventDefault();
    if (to !== undefined) return this.points[to]?.focus();
    const share = this.heights[k] === null ? 0.5 : this.y.share(this.heights[k]);
    this.put(k, end ?? (this.heights[k] === null ? share : share + by));
  }

  listen() {
    let last = null;
    const at = ({ clientX, clientY }) => {
      const { left, top } = this.svg.getBoundingClientRect();
      return { x: clientX - left, y: clientY - top };
    };
    this.svg.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      this.svg.setPointerCapture(event.pointerId);
      last = at(event);
      this.put(this.nearest(last.x), this.shareAt(last.y));
    });
    this.svg.addEventListener("pointermove", (event) => {
      if (!last) return;
      const now = at(event);
      this.stroke(last, now);
      last = now;
    });
    for (const name of ["pointerup", "pointercancel"]) this.svg.addEventListener(name, () => (last = null));
  }

  // Every point between two positions of the pointer is put on the line between them; one that is near follows the pointer.
  stroke(from, to) {
    this.asked.x.forEach((_, k) => {
      const x = this.left(k);
      const t = (x - from.x) / (to.x - from.x);
      if (t >= 0 && t <= 1) this.heights[k] = this.y.value(this.shareAt(from.y + t * (to.y - from.y)));
      else if (Math.abs(x - to.x) <= Math.min(REACH, this.gap / 3)) this.heights[k] = this.y.value(this.shareAt(to.y));
    });
    this.draw();
    this.changed();
  }

  put(k, share) {
    this.heights[k] = this.y.value(share);
    this.draw();
    this.changed();
  }

  nearest(x) {
    const far = this.asked.x.map((_, k) => Math.abs(this.left(k) - x));
    return far.indexOf(Math.min(...far));
  }

  // -- where things are ----------------------------------------------------------------------------------------------

  left(k) {
    return ROOM.left + INSET + this.x.share(this.asked.x[k]) * (this.width - ROOM.left - ROOM.right - 2 * INSET);
  }

  top(share) {
    return ROOM.top + (1 - share) * (HEIGHT - ROOM.top - ROOM.bottom);
  }

  shareAt(y) {
    return 1 - (y - ROOM.top) / (HEIGHT - ROOM.top - ROOM.bottom);
  }

  // -- drawing -------------------------------------------------------------------------------------------------------

  resize() {
    const { clientWidth } = this.element;
    if (!clientWidth || clientWidth === this.width) return;
    this.width = clientWidth;
    setAttributes(this.svg, { width: this.width, viewBox: `0 0 ${this.width} ${HEIGHT}` });
    const inner = { width: this.width - ROOM.left - ROOM.right, height: HEIGHT - ROOM.top - ROOM.bottom };
    setAttributes(this.area, { x: ROOM.left, y: ROOM.top, ...inner });
    this.gap = (inner.width - 2 * INSET) / Math.max(1, this.asked.x.length - 1);
    this.drawAxes();
    this.draw();
  }

  drawAxes() {
    const right = this.width - ROOM.right;
    const bottom = HEIGHT - ROOM.bottom;
    const text = (said, attributes) => svg("text", attributes, said);
    const lines = this.y.ticks().map((value) => {
      const y = this.top(this.y.share(value));
      const line = svg("line", { x1: ROOM.left, x2: right, y1: y, y2: y });
      return [line, text(short(value), { x: ROOM.left - 6, y: y + 4, "text-anchor": "end" })];
    });
    const { labels } = this.asked;
    let free = Number.NEGATIVE_INFINITY; // names that would overlap are left out
    const names = labels.map((label, k) => {
      const half = (label.length * LETTER) / 2;
      const x = Math.min(this.left(k), this.width - half); // the last one stays on the chart
      if (x - half < free) return [];
      free = x + half + LETTER;
      return [text(label, { x, y: bottom + 17, "text-anchor": "middle" })];
    });
    const middle = (ROOM.left + right) / 2;
    const title = text(this.asked.x_title, { x: middle, y: bottom + 38, "text-anchor": "middle" });
    const [x, y] = [13, (ROOM.top + bottom) / 2];
    const upright = text(this.asked.y_title, { x, y, "text-anchor": "middle", transform: `rotate(-90 ${x} ${y})` });
    this.frame.replaceChildren(...lines.flat(), ...names.flat(), title, upright);
  }

  draw() {
    if (!this.width) return;
    this.points.forEach((point, k) => {
      const value = this.heights[k];
      const drawn = value !== null;
      point.classList.toggle("lmdk-undrawn", !drawn);
      setAttributes(point, { cx: this.left(k), cy: this.top(drawn ? this.y.share(value) : 0.5), "aria-valuenow": drawn ? value : "" });
      const computed = this.computed ? `, computed ${amount(this.computed[k])}` : "";
      setAttributes(point, { "aria-valuetext": (drawn ? amount(value) : "not drawn yet") + computed });
    });
    this.mine.setAttribute("d", this.path(this.heights));
    this.over.setAttribute("d", this.computed ? this.path(this.computed) : "");
    const diamonds = (this.computed ?? []).map((value, k) => svg("path", { d: diamond(this.left(k), this.top(this.clipped(value)), 5) }));
    this.marks.replaceChildren(...diamonds);
  }

  path(heights) {
    let begun = false;
    const parts = heights.map((value, k) => {
      if (value === null) return (begun = false), "";
      const to = `${begun ? "L" : "M"}${this.left(k)} ${this.top(this.clipped(value))}`;
      begun = true;
      return to;
    });
    return parts.join("");
  }

  clipped(value) {
    return Math.min(1, Math.max(0, this.y.share(value)));
  }

  // -- what every kind of question has -------------------------------------------------------------------------------

  given() {
    return this.heights.includes(null) ? null : [...this.heights];
  }

  fits(given) {
    const inside = (value) => Number.isFinite(value) && value >= this.y.low && value <= this.y.high;
    return Array.isArray(given) && given.length === this.heights.length && given.every(inside);
  }

  set(given) {
    this.heights = [...given];
    this.draw();
  }

  reveal(answer) {
    this.computed = answer;
    this.legend.hidden = !answer;
    const key = (name, said) => h("span", { class: name }, said);
    this.legend.replaceChildren(key("lmdk-key-mine", "●— yours"), "   ", key("lmdk-key-computed", "◆╌ computed"));
    this.draw();
  }

  clear() {
    this.heights = this.heights.map(() => null);
    this.reveal(null);
  }

  said(given) {
    return Object.fromEntries(given.map((value, k) => [this.asked.labels[k], value]));
  }
}

// 0.1, 20, 5,000, 1e6
function short(value) {
  const size = Math.abs(value);
  return size !== 0 && (size >= 1e6 || size < 1e-3) ? value.toExponential(0).replace("+", "") : value.toLocaleString("en", { maximumFractionDigits: 4 });
}

function diamond(x, y, r) {
  return `M${x} ${y - r}L${x + r} ${y}L${x} ${y + r}L${x - r} ${y}Z`;
}
