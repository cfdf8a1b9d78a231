// Choose one: a list of radio buttons.
import { h } from "../page/dom.js";

let serial = 0;

export class Choose {
  constructor(asked, { label, changed }) {
    this.texts = asked.choices;
    const name = `lmdk-choice-${++serial}`;
    this.inputs = asked.choices.map((_, k) => h("input", { type: "radio", name, value: String(k), onchange: changed }));
    this.marks = asked.choices.map(() => h("span", { class: "lmdk-mark" }));
    this.rows = asked.choices.map((text, k) => h("label", { class: "lmdk-choice" }, this.inputs[k], h("span", {}, text), this.marks[k]));
    this.element = h("div", { class: "lmdk-choicelist", role: "radiogroup", "aria-labelledby": label }, ...this.rows);
    this.missing = "Choose one.";
    this.tries = Number.POSITIVE_INFINITY; // no wrong answer shows the right one
  }

  given() {
    const at = this.inputs.findIndex((input) => input.checked);
    return at < 0 ? null : at;
  }

  // Whether an answer that was kept is one to this question.
  fits(given) {
    return Number.isInteger(given) && given in this.inputs;
  }

  set(given) {
    this.inputs.forEach((input, k) => (input.checked = k === given));
  }

  reveal(answer) {
    this.marks.forEach((mark, k) => (mark.textContent = k === answer ? "✓ the right answer" : ""));
  }

  clear() {
    this.set(-1);
    this.reveal(-1);
  }

  said(given) {
    return this.texts[given];
  }
}
