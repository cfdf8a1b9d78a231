// Proposing landmarks: stays of a track, peaks, changes and absences of a series. Nothing is marked until the user says so.
import { button, h, setText } from "../page/dom.js";

// While nothing is searched for.
export const NONE = { timestamps: [], whole: [], text: "", found: "" };

export class Stays {
  // act: { find(), mark(indices), clear() }
  constructor(fields, act) {
    this.found = h("p", { class: "lmdk-meaning", role: "status" });
    const accept = (text, name) => button(text, () => act.mark(this.proposed[name]), { hidden: true });
    this.fields = fields;
    this.one = accept("Mark one timestamp of each", "timestamps");
    this.whole = accept("Mark all of their timestamps", "whole");
    this.element = h(
      "details",
      { class: "lmdk-stays" },
      h("summary", {}, fields.declared["stays.open"].label),
      h("p", { class: "lmdk-meaning" }, "Moments that stand out in your data. Nothing is marked until you say so."),
      fields.field("stays.by"),
      fields.field("stays.within_m"),
      fields.field("stays.share_percent"),
      fields.field("stays.at_least_minutes"),
      button("Find them", () => act.find()),
      this.found,
      this.one,
      this.whole,
      button("Clear all landmarks", () => act.clear()),
    );
  }

  // proposed: { timestamps: one of each moment, whole: all of them, text, found: what averaging finds now }
  show(proposed = NONE) {
    this.proposed = proposed;
    setText(this.found, [proposed.text, proposed.found].filter(Boolean).join(" "));
    this.one.hidden = !proposed.timestamps.length;
    this.whole.hidden = proposed.whole.length <= proposed.timestamps.length;
  }
}
