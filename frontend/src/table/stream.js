// The part on a stream: charts, and a row of hours on which intrusions or landmarks are placed, by click and by keyboard.
import { part } from "../page/blocks.js";
import { button, h, setText } from "../page/dom.js";
import { ChartPart } from "./charts.js";

export class StreamPart extends ChartPart {
  constructor(page, place) {
    const toggle = (index) => page.request({ op: "toggle", index });
    const click = ({ x }) => this.hours?.[Math.round(x) - 1] && toggle(Math.round(x) - 1);
    super(page, place, {
      picture: ["counts"],
      beside: ["budgets"],
      tabs: { counter: "counter", districts: "districts" },
      table: "levels",
      clicks: { counts: click, counter: click },
    });
    this.toggle = toggle;
    this.what = h("p", { class: "lmdk-meaning" });
    this.row = h("div", { class: "lmdk-hours", role: "group" });
    place.panels.counter.prepend(part("Hours", this.what, this.row));
    this.hours = [];
    this.row.addEventListener("keydown", (event) => this.move(event));
  }

  tell(told) {
    super.tell(told);
    if (this.hours.length !== told.hours) {
      this.hours = Array.from({ length: told.hours }, (_, k) => button(String(k + 1), () => this.toggle(k), { class: "lmdk-hour", tabindex: k ? "-1" : "0" }));
      this.row.replaceChildren(...this.hours);
    }
    setText(this.what, `Press an hour, or click it in a chart above, to place one ${told.places} or to remove it. The arrow keys move along.`);
    this.row.setAttribute("aria-label", `Hours with ${told.places}`);
    const placed = new Set(told.placed);
    this.hours.forEach((hour, k) => {
      hour.ariaPressed = String(placed.has(k));
      hour.setAttribute("aria-label", `Hour ${k + 1}: ${told.places}`);
    });
  }

  // One stop for the tab key; the arrow keys, Home and End go on from there.
  move(event) {
    const at = this.hours.indexOf(document.activeElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: this.hours.length - 1 }[event.key];
    if (at < 0 || to === undefined || !this.hours[to]) return;
    event.preventDefault();
    this.hours.forEach((hour, k) => (hour.tabIndex = k === to ? 0 : -1));
    this.hours[to].focus();
  }
}
