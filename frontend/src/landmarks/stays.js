// Proposing landmarks: where the track stays within a distance for a time. Nothing is marked until the user says so.
import { button, h, setText } from "../page/dom.js";

export class Stays {
  // act: { find(), mark(indices), clear() }
  constructor(fields, act) {
    this.found = h("p", { class: "lmdk-meaning", role: "status" });
    const accept = (text, name) => button(text, () => act.mark(this.proposed[name]), { hidden: true });
    this.one = accept("Mark one timestamp per stay", "timestamps");
    this.whole = accept("Mark the whole stays", "whole");
    this.element = h(
      "details",
      { class: "lmdk-stays" },
      h("summary", {}, fields.declared["stays.open"].label),
      h("p", { class: "lmdk-meaning" }, "Places where the track stays for a while. Nothing is marked until you say so."),
      fields.field("stays.within_m"),
      fields.field("stays.at_least_minutes"),
      button("Find stay points", () => act.find()),
      this.found,
      this.one,
      this.whole,
      button("Clear all landmarks", () => act.clear()),
    );
  }

  // proposed: { timestamps: one of each stay, whole: all of them, text }
  show(proposed) {
    this.proposed = proposed;
    setText(this.found, proposed.text);
    this.one.hidden = !proposed.timestamps.length;
    this.whole.hidden = !proposed.whole.length;
  }
}
