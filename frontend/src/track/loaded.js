// What an uploaded track is, in one line, and its days: all of them, or those from one to another.
import { button, details, h, setText } from "../page/dom.js";

export class Loaded {
  // ask([first, last]), or ask(null) for all
  constructor(ask) {
    this.first = dateField("First day");
    this.last = dateField("Last day");
    this.all = button("All days", () => ask(null));
    const use = button("Use these days", () => {
      if (this.first.reportValidity() && this.last.reportValidity()) ask([this.first.value, this.last.value]);
    });
    const fields = h("p", { class: "lmdk-choices" }, h("label", {}, "From ", this.first), h("label", {}, "to ", this.last));
    this.about = h("p", { class: "lmdk-meaning lmdk-about", role: "status" });
    this.days = details("Choose days", fields, h("p", { class: "lmdk-choices" }, use, this.all));
    this.days.hidden = true;
    this.parts = [this.about, this.days];
  }

  // days: first and last of the file, first and last that are shown; empty where there is nothing to choose
  show(about, days) {
    setText(this.about, about);
    this.days.hidden = !days.length;
    const [min, max, first, last] = days;
    for (const [field, value] of [
      [this.first, first],
      [this.last, last],
    ])
      Object.assign(field, { min: min ?? "", max: max ?? "", value: value ?? "" });
    this.all.hidden = min === first && max === last;
  }
}

const dateField = (label) => h("input", { type: "date", "aria-label": label, required: true });
