// The choices of a page as traits of its widget, set by the browser. The kernel has the same already; programs such as
// marimo run again only what follows a value that a browser sets.
import { inField } from "./number_field.js";

const NAMES = ["choices", "epsilon", "scheme", "landmarks"];
const CALM = 100; // ms without a further change

export class Traits {
  // name: of this view, with which the kernel is told that nothing is asked for; sent(act): does what fails where the kernel
  // is gone. A page without a widget has no traits.
  constructor(model, name, sent = (act) => act()) {
    this.model = model;
    this.name = name;
    this.sent = sent;
    this.times = 0;
    this.known = "";
  }

  // What the page shows now, whoever chose it.
  follow(choices) {
    if (!this.model.get("choices")) return;
    const text = JSON.stringify(choices);
    if (this.known && text !== this.known) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.sent(() => this.set(choices)), CALM);
    }
    this.known = text;
  }

  set(choices) {
    const { epsilon } = choices;
    const shown = { ...choices, choices, epsilon: typeof epsilon === "number" ? inField(epsilon) : epsilon };
    for (const name of NAMES) if (this.model.get(name) !== undefined) this.model.set(name, shown[name]);
    this.model.set("_shown", `${this.name} ${++this.times}`);
    this.model.save_changes();
  }

  remove() {
    clearTimeout(this.timer);
  }
}
