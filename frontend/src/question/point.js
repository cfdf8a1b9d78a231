// A place on a map in metres: click, tap, or move the mark by arrow keys. The right place appears beside it.
import { h, onSize, setAttributes, setText, svg } from "../page/dom.js";
import { metres } from "../page/format.js";
import { diamond, dot, pathThrough } from "./scene.js";

const MOST = 440; // pixels of height
const STEP = 1 / 40; // of the width, by an arrow key
const STILL = 10; // pixels: a finger that moves less has tapped
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] };
const LENGTHS = [1, 2, 5];
const LETTER = 7; // pixels, about

let serial = 0;

export class Point {
  constructor(asked, { label, changed }) {
    this.asked = asked;
    this.changed = changed;
    const [west, south, east, north] = asked.edges;
    this.west = west;
    this.south = south;
    this.east = east;
    this.north = north;
    this.place = null;
    this.answer = [];
    this.width = 0;
    this.hintId = `lmdk-place-${++serial}`;
    this.ground = svg("g", { "aria-hidden": "true" });
    this.top = svg("g", { "aria-hidden": "true" });
    const size = `${metres(east - west)} wide and ${metres(north - south)} high`;
    const said = { role: "application", tabindex: 0, "aria-roledescription": "map", "aria-label": `Map, ${size}`, "aria-describedby": label };
    this.svg = svg("svg", { class: "lmdk-scene", ...said }, this.ground, this.top);
    this.where = h("p", { class: "lmdk-where", "aria-live": "polite" });
    this.element = h("div", { class: "lmdk-pointat" }, this.svg, this.where);
    this.missing = "Place the mark first.";
    this.hint = "Click or tap the map. Keys: the arrows move the mark, with Shift in small steps.";
    this.listen();
    this.remove = onSize(this.element, () => this.resize());
  }

  listen() {
    let from = null; // where a finger or the mouse went down
    const put = ({ clientX, clientY }) => {
      const { left, top } = this.svg.getBoundingClientRect();
      this.put(this.west + (clientX - left) / this.scale, this.north - (clientY - top) / this.scale);
    };
    const mouse = ({ pointerType }) => pointerType === "mouse";
    this.svg.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      from = event;
      if (mouse(event)) put(event);
    });
    this.svg.addEventListener("pointermove", (event) => from && mouse(event) && put(event));
    this.svg.addEventListener("pointerup", (event) => {
      const still = from && Math.hypot(event.clientX - from.clientX, event.clientY - from.clientY) < STILL;
      if (still && !mouse(event)) put(event); // a finger that moves scrolls the page
      from = null;
    });
    for (const name of ["pointercancel", "pointerleave"]) this.svg.addEventListener(name, () => (from = null));
    this.svg.addEventListener("keydown", (event) => {
      const way = KEYS[event.key];
      if (!way) return;
      event.preventDefault();
      const step = (this.east - this.west) * STEP * (event.shiftKey ? 0.2 : 1);
      const [x, y] = this.place ?? [(this.west + this.east) / 2, (this.south + this.north) / 2];
      this.put(x + way[0] * step, y + way[1] * step);
    });
  }

  put(x, y) {
    const inside = (value, low, high) => Number(Math.min(high, Math.max(low, value)).toFixed(1));
    this.place = [inside(x, this.west, this.east), inside(y, this.south, this.north)];
    this.draw();
    this.changed();
  }

  resize() {
    const { clientWidth } = this.element;
    if (!clientWidth || clientWidth === this.width) return;
    this.width = clientWidth;
    this.scale = Math.min(clientWidth / (this.east - this.west), MOST / (this.north - this.south));
    const [width, height] = [(this.east - this.west) * this.scale, (this.north - this.south) * this.scale];
    setAttributes(this.svg, { width, height, viewBox: `0 0 ${width} ${height}` });
    this.drawGround(width, height);
    this.draw();
  }

  at([x, y]) {
    return [(x - this.west) * this.scale, (this.north - y) * this.scale];
  }

  drawGround(width, height) {
    const { dots, line, places } = this.asked;
    const path = pathThrough(line.map((point) => this.at(point)));
    const spots = dots.map((point) => dot(this.at(point), 3, "lmdk-dot"));
    const names = places.flatMap(([px, py, name]) => {
      const [x, y] = this.at([px, py]);
      const half = (name.length * LETTER) / 2;
      const middle = Math.min(width - half - 2, Math.max(half + 2, x));
      return [dot([x, y], 2.5, "lmdk-spot"), svg("text", { x: middle, y: y - 6, "text-anchor": "middle" }, name)];
    });
    this.ground.replaceChildren(svg("path", { class: "lmdk-way", d: path }), ...spots, ...names, ...this.scaleBar(height));
  }

  scaleBar(height) {
    const most = (this.east - this.west) / 3;
    const power = 10 ** Math.floor(Math.log10(most));
    const length = power * LENGTHS.filter((l) => l * power <= most).at(-1);
    const y = height - 10;
    const bar = svg("path", { class: "lmdk-bar", d: `M10 ${y - 5}V${y}H${10 + length * this.scale}V${y - 5}` });
    return [bar, svg("text", { x: 16, y: y - 6 }, metres(length))];
  }

  draw() {
    const marks = (this.width ? this.answer : []).map((answer) => diamond(this.at(answer), 9, "lmdk-rightplace"));
    if (this.place && this.width) {
      const [x, y] = this.at(this.place);
      const cross = `M${x - 12} ${y}H${x + 12}M${x} ${y - 12}V${y + 12}`;
      marks.push(dot([x, y], 7, "lmdk-minemark"), svg("path", { class: "lmdk-minemark", d: cross }));
    }
    this.top.replaceChildren(...marks);
    const [x, y] = this.place ?? [];
    const key = this.answer.length ? " ◆ is the right place." : "";
    setText(this.where, this.place ? `Your mark: ${metres(x - this.west)} from the west edge, ${metres(y - this.south)} from the south edge.${key}` : "");
  }

  given() {
    return this.place;
  }

  fits(given) {
    return Array.isArray(given) && given.length === 2 && given.every(Number.isFinite);
  }

  set(given) {
    this.place = given;
    this.draw();
  }

  reveal(answer) {
    this.answer = answer;
    this.draw();
  }

  clear() {
    this.place = null;
    this.reveal([]);
  }

  said([x, y]) {
    return { east_m: x, north_m: y };
  }
}
