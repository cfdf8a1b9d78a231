// Budgets by hand: a field for all landmarks, one for all other timestamps, and one for a single timestamp; below them
// whether the budgets fit, and the buttons that make them fit.
import { button, h, setText } from "../page/dom.js";
import { Fields } from "../page/fields.js";
import { Handles } from "./handles.js";

const number = (label, more = {}) => ({ kind: "number", label, unit: "", whole: false, origin: 0, ...more });
const FIELDS = {
  landmarks: number("Each landmark"),
  others: number("Each other timestamp"),
  at: number("Timestamp", { whole: true, origin: 1 }),
  one: number("Budget of one timestamp"),
};
const HOW = "Type here, or drag the top of a bar in the timeline. A budget of 0 measures nothing.";

export class ByHand {
  // request(operation, commit): of the page
  constructor(store, request) {
    this.store = store;
    this.request = request;
    this.handles = null; // once the timeline is there
    this.at = 0;
    this.fields = new Fields(FIELDS, (name, value) => this.entered(name, value));
    const rows = Object.keys(FIELDS).map((name) => this.fields.field(name));
    for (const name of ["landmarks", "others"]) this.fields.rows[name].control.placeholder = "differ";
    this.text = h("p", { role: "status" });
    this.fit = button("", () => request({ op: "fit" }));
    this.raise = button("", () => request({ op: "set", name: "epsilon", value: this.epsilon }));
    const buttons = h("div", { class: "lmdk-choices" }, this.fit, this.raise);
    this.element = h("div", { class: "lmdk-byhand", hidden: true }, h("p", { class: "lmdk-meaning" }, HOW), ...rows, this.text, buttons);
  }

  entered(name, value) {
    if (name === "at") this.follow(Number.isInteger(value) ? value : this.at);
    else this.request({ op: "budget", ...(name === "one" ? { index: this.at } : { of: name }), value });
  }

  // Lays handles over the bars of the timeline.
  handle(timeline, { hover }) {
    const drag = (index, value, done) => {
      this.follow(index);
      this.request({ op: "budget", index, value }, done);
    };
    this.handles = new Handles(timeline, this.store, { hover, drag });
    this.handles.on = !this.element.hidden;
  }

  // Shows the budget of this timestamp.
  follow(index) {
    this.at = index;
    this.draw();
  }

  // told: { text, over, fit, raise, landmarks, others }
  show(on, told) {
    this.element.hidden = !on;
    if (this.handles) this.handles.on = on;
    if (!on) return;
    const { text, over, fit, raise, landmarks, others } = told;
    setText(this.text, text);
    this.text.classList.toggle("lmdk-over", over);
    this.fit.hidden = !fit;
    setText(this.fit, fit);
    this.epsilon = raise;
    this.raise.hidden = raise === null;
    setText(this.raise, `Raise epsilon to ${raise}`);
    this.common = { landmarks: landmarks.budget, others: others.budget };
    this.visible = ["at", "one", ...(landmarks.any ? ["landmarks"] : []), ...(others.any ? ["others"] : [])];
    this.draw();
  }

  // The fields, once the budgets of an outcome are here.
  draw() {
    const { track, arrays, landmarks } = this.store;
    if (this.element.hidden || !arrays.budgets) return;
    this.at = Math.max(0, Math.min(track.n - 1, this.at));
    const { row, control } = this.fields.rows.one;
    const label = `Budget of ${this.store.name(this.at)} (${landmarks.has(this.at) ? "landmark" : "regular"})`;
    setText(row.querySelector("label"), label);
    control.setAttribute("aria-label", label);
    const shown = { ...this.common, one: arrays.budgets[this.at] };
    for (const name of Object.keys(shown)) if (shown[name] !== null) shown[name] = Number(shown[name].toPrecision(6));
    this.fields.show({ ...shown, at: this.at }, this.visible);
  }
}
