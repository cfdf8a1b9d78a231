// The chart of a series instead of the map: the values over time, their landmarks and their release. Click, tap, box or
// keyboard asks for landmarks as on the map; more timestamps than pixels are drawn as least and greatest of each pixel.
import { blank, box as boxPath, diamond, disc, paint, path, sized, write } from "../page/canvas.js";
import { button, h, onSize, setText, switchButton } from "../page/dom.js";
import { markBox, reached, tap } from "../page/marking.js";
import { BROWNS, PICTURE } from "../page/palette.js";
import { saveButton } from "../page/save_chart.js";
import { endsOfSpan, reaching, spanned, zoomed } from "../page/span.js";
import { coloursOf } from "../page/theme.js";
import { axes, drawAxes, endsOf } from "./series_axes.js";
import { drawSeriesBelieved, drawSeriesHeat } from "./series_heat.js";
import { APART, beyond, drawCrosses, drawDots, drawLine, SCATTERED } from "./series_line.js";

const COLOURS = ["panel", "ink", "quiet", "grid", "line", "track", "regular", "landmark", "release", "link", "circle", "pinned", "path", "paper"];
const PALETTE = Array.from({ length: 8 }, (_, k) => `p${k}`); // of what is believed
const KEYS =
  "Left and right arrows go from timestamp to timestamp, space marks or unmarks a landmark, plus and minus zoom in time, Escape shows all. " +
  "Drag to show a part of the time; a double click shows all.";
const NEAR = 7; // pixels
const MARKED = { title: "Chart of the series", key: "Blue: the true values. Purple: the released ones. ◆ landmark" };

export class SeriesChart {
  // act: as for the map: { toggle(index), mark(indices, on), hover(index, tapped) }, and those of the timeline: { press(index), look(span) }
  constructor(element, act) {
    this.act = act;
    this.hint = h("p", { class: "lmdk-offscreen", id: `lmdk-hint-${Math.random().toString(36).slice(2)}` }, KEYS);
    const said = { "aria-label": "Chart of the series", "aria-roledescription": "chart", "aria-describedby": this.hint.id };
    this.below = h("canvas", { "aria-hidden": "true" });
    this.above = h("canvas", { "aria-hidden": "true" });
    this.box = h("div", { class: "lmdk-linechart", role: "application", tabindex: "0", ...said }, this.below, this.above);
    this.release = switchButton("Release", true, () => this.draw(), { title: "Show or hide the released values" });
    const title = "Draw a box to mark every timestamp in it (or hold Shift)";
    this.boxing = switchButton("Box", false, (on) => this.box.classList.toggle("lmdk-boxing", on), { title });
    this.fitButton = button("Fit", () => this.fitNext(), { title: "Show all values; pressed again, all released values too" });
    const zoom = (text, name, factor) => button(text, () => this.zoom(factor), { "aria-label": name, title: name });
    const save = saveButton("the chart of the series", (format) => act.picture({ ...MARKED, canvas: this.picture() }, format));
    const bar = h("div", { class: "lmdk-mapbar" }, this.release, this.boxing, zoom("+", "Zoom in", 0.5), zoom("−", "Zoom out", 2), this.fitButton, save);
    this.frame = h("div", { class: "lmdk-mapframe lmdk-seriesframe", hidden: true }, this.box, bar, this.hint);
    element.append(this.frame);
    this.clear();
    this.listen();
    this.remove = onSize(this.box, () => this.draw());
  }

  clear() {
    /** @type {any} */
    this.track = null;
    /** @type {any} of values: the true ones, the released ones, those of the pinned option */
    this.values = this.released = this.pinned = null;
    /** @type {any} what is believed; null: nothing is */
    this.heat = null;
    /** @type {any} what a pointer that is down does */
    this.drag = null;
    this.landmarks = new Set();
    this.proposed = [];
    /** @type {number[]} */
    this.dummies = [];
    this.hovered = -1;
    this.wide = false;
    this.setRange(null);
  }

  listen() {
    const place = ({ clientX, clientY }) => {
      const { left, top } = this.box.getBoundingClientRect();
      return { x: clientX - left, y: clientY - top };
    };
    this.box.addEventListener("pointermove", (event) => this.move(event, place(event)));
    this.box.addEventListener("pointerleave", ({ pointerType }) => pointerType === "mouse" && !this.drag && this.act.hover(-1));
    this.box.addEventListener("pointerdown", (event) => this.press(event, place(event)));
    this.box.addEventListener("dblclick", () => this.span && this.act.look(null));
    for (const name of ["pointerup", "pointercancel"]) this.box.addEventListener(name, (event) => this.lift(event, place(event)));
    this.box.addEventListener("keydown", (event) => !event.altKey && !event.ctrlKey && !event.metaKey && this.key(event));
    this.box.addEventListener("focus", () => this.box.matches(":focus-visible") && this.hovered < 0 && this.track && this.act.hover(0));
  }

  setTrack(track, values) {
    this.clear();
    this.track = track;
    this.values = values;
    this.setRange(null);
    setText(this.fitButton, "Fit");
  }

  setRange(span) {
    this.span = span;
    this.range = endsOfSpan(span, this.track?.n ?? 1);
  }

  // The part of the time that every view shows.
  setSpan(span) {
    this.setRange(span);
    setText(this.fitButton, "Fit");
    this.draw();
  }

  setRelease(released, pinned) {
    this.released = released;
    this.pinned = pinned;
  }

  // dummies, proposed: drawn hollow
  setLandmarks(landmarks, proposed = [], dummies = []) {
    this.landmarks = landmarks;
    this.proposed = proposed;
    this.dummies = dummies;
  }

  // What an adversary believes, as the map takes it, with the whole of it in `all`; null: nothing.
  setHeat(heat) {
    const before = this.heat;
    this.heat = heat && { ...heat.all, edges: heat.cells.edges, at: heat.now };
    if (before || heat) this.draw();
  }

  setHovered(index) {
    this.hovered = index;
    this.drawHover();
  }

  fitNext() {
    this.wide = !this.span && !this.wide;
    if (this.span) this.act.look(null);
    setText(this.fitButton, this.wide ? "Fit" : "Fit all");
    this.draw();
  }

  zoom(factor) {
    this.act.look(zoomed(this.span, this.hovered, factor, this.track.n));
  }

  // The timestamp at a place; a landmark beside it comes first where several share a pixel.
  found({ x, y }) {
    const { scale, track } = this;
    if (!scale || x < scale.left - NEAR || x > scale.right + NEAR || y < scale.top - 20 || y > scale.bottom + 4) return -1;
    const near = Math.max(0, Math.min(track.n - 1, scale.at(x)));
    if (scale.across > NEAR) return near;
    const marked = [...this.landmarks].filter((i) => Math.abs(scale.x(i) - x) <= NEAR);
    return marked.length ? marked.reduce((a, b) => (Math.abs(scale.x(a) - x) <= Math.abs(scale.x(b) - x) ? a : b)) : near;
  }

  move(event, place) {
    if (!this.track) return;
    const { drag } = this;
    if (!drag) return event.pointerType === "mouse" && this.act.hover(this.found(place));
    drag.moved ||= Math.hypot(place.x - drag.x, place.y - drag.y) > 4;
    drag.to = place;
    this.drawHover();
  }

  press(event, place) {
    if (!this.track || event.button !== 0) return;
    const box = event.shiftKey || this.boxing.ariaPressed === "true";
    this.drag = { ...place, box, moved: false, to: place };
    if (box) event.preventDefault();
    this.box.setPointerCapture(event.pointerId);
  }

  lift({ type, pointerType }, place) {
    const { drag } = this;
    this.drag = null;
    if (!drag || type === "pointercancel") return this.drawHover();
    const seen = [Math.max(0, Math.floor(this.range[0])), Math.min(this.track.n - 1, this.range[1])];
    const at = (i) => [this.scale.x(i), this.scale.truth(this.values[i])];
    if (drag.box && drag.moved) markBox(this.act, drag, place, seen, at, this.landmarks);
    this.drawHover();
    if (drag.moved) {
      const span = drag.box ? null : spanned(this.scale.at(drag.x), this.scale.at(place.x), this.track.n);
      if (span) this.act.look(span);
      return;
    }
    const found = this.found(place);
    if (pointerType !== "mouse") this.tapped = tap({ ...this.act, toggle: this.act.press }, found, this.tapped);
    else if (found >= 0) this.act.press(found);
  }

  key(event) {
    if (!this.track) return;
    const { n } = this.track;
    const now = this.hovered;
    const next = reached(event.key, now, [0, n - 1]);
    if (next !== undefined) {
      const span = reaching(this.span, next, n);
      if (span !== this.span) this.act.look(span);
      this.act.hover(next);
    } else if ((event.key === " " || event.key === "Enter") && now >= 0) this.act.toggle(now);
    else if (event.key === "+" || event.key === "=") this.zoom(0.5);
    else if (event.key === "-") this.zoom(2);
    else if (event.key === "Escape" && this.span) this.act.look(null);
    else return;
    event.preventDefault();
  }

  draw() {
    const size = { width: this.box.clientWidth, height: this.box.clientHeight };
    if (this.frame.hidden || !this.track?.time.length || size.width < 90 || size.height < 110) return;
    const shown = this.release.ariaPressed === "true" ? this.released : null;
    const answers = this.track.series.kind === "answers";
    const { heat } = this;
    const ends = endsOf(this.values, this.wide ? shown : null, heat ? [heat.edges[0], heat.edges.at(-1)] : null);
    const colour = this.colour();
    this.colours = Object.fromEntries(COLOURS.map((name) => [name, colour(name) || "gray"]));
    this.scale = axes(this.box, size, this.range, ends, answers);
    const context = this.emptied(this.below);
    drawAxes(context, this.scale, this);
    const { left, top, right, bottom } = this.scale;
    context.save();
    boxPath(context, left, top - 14, right - left + 6, bottom - top + 14);
    context.clip();
    if (heat) drawSeriesHeat(context, this.scale, heat, PALETTE.map(colour));
    const line = (values, y, look) => drawLine(context, values, y, this.scale, answers, look);
    const dense = !answers && this.scale.across < APART; // the true values lie behind it
    const colourOf = dense ? "link" : "release";
    this.beyond = shown && dense ? beyond(shown, this.scale) : null;
    const scattered = this.beyond && this.beyond.above + this.beyond.below > SCATTERED * this.beyond.of;
    if (scattered) {
      if (this.pinned) drawDots(context, this.pinned, this.scale, this.colours.pinned);
      drawDots(context, shown, this.scale, this.colours.release);
      this.tellBeyond(context);
    } else if (shown) {
      if (this.pinned) line(this.pinned, this.scale.released, { stroke: this.colours.pinned, width: 1, dash: [4, 3] });
      line(shown, this.scale.released, { stroke: this.colours[colourOf], width: 1.2 });
    }
    line(this.values, this.scale.truth, { stroke: this.colours.regular, width: 1.8 });
    if (heat) drawSeriesBelieved(context, this.scale, heat, this.colours, answers);
    this.marks(context, shown);
    context.restore();
    this.drawHover();
  }

  colour() {
    return coloursOf(this.box);
  }

  emptied(canvas) {
    return sized(canvas, this.box.clientWidth, this.box.clientHeight);
  }

  // What is seen as a canvas of its own, in light colours.
  picture() {
    const { clientWidth: width, clientHeight: height } = this.box;
    const whole = blank(width, height);
    paint(whole, { fill: PICTURE.panel }, 0, 0, width, height);
    const steps = Object.fromEntries(BROWNS.map((colour, k) => [PALETTE[k], colour]));
    const looks = { hovered: -1, colour: () => (name) => ({ ...PICTURE, ...steps })[name], emptied: () => whole };
    Object.assign(Object.create(this), looks).draw();
    return whole.canvas;
  }

  // How many released values lie beyond the chart, above it; "Fit all" shows them.
  tellBeyond(context) {
    const { left, top, size } = this.scale;
    const count = (n) => n.toLocaleString("en");
    const text = `released: ${count(this.beyond.above)} of ${count(this.beyond.of)} above, ${count(this.beyond.below)} below`;
    const look = { font: `${Math.round(11 * size)}px system-ui, sans-serif`, fillStyle: this.colours.release, textAlign: "left", textBaseline: "middle" };
    write(context, text, left + 4, top - 8, look);
  }

  marks(context, shown) {
    const { x, truth, across } = this.scale;
    const { values, colours } = this;
    const [first, last] = [Math.max(0, Math.floor(this.range[0])), Math.min(values.length - 1, Math.ceil(this.range[1]))];
    if (across > APART) {
      for (let i = first; i <= last; i++) {
        disc(context, x(i), truth(values[i]), 3.5);
        paint(context, { fill: colours.regular });
      }
      if (shown) drawCrosses(context, shown, this.scale, colours.release);
    }
    const mark = (i, r, look) => {
      if (i < first || i > last) return;
      diamond(context, x(i), truth(values[i]), r);
      paint(context, look);
    };
    for (const i of this.proposed) mark(i, 8, { stroke: colours.landmark, width: 2.5 });
    for (const i of this.dummies) mark(i, 8, { stroke: colours.landmark, width: 2 });
    for (const i of this.landmarks) mark(i, 8, { fill: colours.landmark, stroke: colours.ink, width: 1.5 });
  }

  drawHover() {
    const { scale, hovered: i, colours } = this;
    if (!scale || !this.values) return;
    const context = this.emptied(this.above);
    if (i >= this.range[0] && i <= this.range[1]) {
      path(context, scale.x(i), scale.top - 10, scale.x(i), scale.bottom);
      paint(context, { stroke: colours.quiet, dash: [3, 3] });
      disc(context, scale.x(i), scale.truth(this.values[i]), 11);
      paint(context, { stroke: colours.ink, width: 2.5 });
      const y = this.release.ariaPressed === "true" && this.released ? scale.released(this.released[i]) : NaN;
      if (y >= scale.top && y <= scale.bottom) paint(context, { stroke: colours.release, width: 2 }, scale.x(i) - 6, y - 6, 12, 12);
    }
    const { drag } = this;
    if (drag?.box)
      paint(context, { fill: colours.circle, stroke: colours.landmark, width: 1.5, dash: [4, 3] }, drag.x, drag.y, drag.to.x - drag.x, drag.to.y - drag.y);
    else if (drag?.moved) paint(context, { fill: colours.circle, stroke: colours.quiet }, drag.x, scale.top, drag.to.x - drag.x, scale.bottom - scale.top);
  }

  recolour() {
    this.draw();
  }
}
