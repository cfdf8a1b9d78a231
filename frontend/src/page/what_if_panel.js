// The page as one file: which of its controls stay open in it, what it contains, and how large it will be.
import { button, h, setText } from "./dom.js";

export class WhatIfPanel {
  // record(step, open, truth, report): "offer" says the size, "make" makes the file; close()
  constructor(record, close) {
    this.record = record;
    const attributes = { class: "lmdk-columns lmdk-whatif", tabindex: "-1", role: "group", "aria-label": "What-if as one file" };
    this.boxes = h("div", { class: "lmdk-schemes", role: "group", "aria-label": "Controls that stay open" });
    this.truth = h("input", { type: "checkbox", onchange: () => this.ask() });
    this.own = h("label", { class: "lmdk-check" }, this.truth, " Put the true data into the file, and say so in its name");
    this.report = h("input", { type: "checkbox" });
    const inside = h("label", { class: "lmdk-check" }, this.report, " Inside a report of the page as it is now");
    this.text = h("p", { class: "lmdk-meaning", role: "status" });
    this.make = button("Save the file", () => (record("make", this.chosen(), this.truth.checked, this.report.checked), close()), { disabled: true });
    const leave = button("Close", () => (record("stop", null, false), close()));
    const about = "One HTML file that opens without a network and without Python. These controls stay open in it:";
    const choices = h("div", { class: "lmdk-choices" }, this.make, leave);
    this.element = h("section", attributes, h("h2", {}, "What-if as one file"), h("p", {}, about), this.boxes, inside, this.own, this.text, choices);
  }

  focus() {
    this.element.focus();
  }

  chosen() {
    return [...this.boxes.querySelectorAll("input:checked")].map((box) => box.value);
  }

  ask() {
    this.make.disabled = true;
    setText(this.text, "How large is it? …");
    this.record("offer", this.chosen(), this.truth.checked);
  }

  show({ controls, text, own, truth, possible }) {
    const names = controls.map(({ name }) => name).join();
    if (this.names !== names) {
      this.names = names;
      const box = ({ name, label, on }) => h("label", {}, h("input", { type: "checkbox", value: name, checked: on, onchange: () => this.ask() }), ` ${label}`);
      this.boxes.replaceChildren(...controls.map(box));
    }
    this.own.hidden = !own;
    this.truth.checked = truth;
    this.make.disabled = !possible;
    setText(this.text, text || "How large is it? …");
  }
}
