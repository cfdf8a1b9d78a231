// What is told step by step: each step shows one more sentence, and the page draws what belongs to it.
import { button, h } from "./dom.js";

export class StepByStep {
  // shown(): called when another step is shown, counted from 0 in `step`
  constructor(shown, attributes) {
    this.shown = shown;
    this.items = [];
    this.step = 0;
    this.list = h("ol", { class: "lmdk-steps", ...attributes });
    this.back = button("Back", () => this.go(-1));
    this.next = button("Next step", () => this.go(1));
    this.element = h("div", { hidden: true }, this.list, h("div", { class: "lmdk-buttons" }, this.back, this.next));
  }

  // steps: [{ title, text }], none to hide all; another name begins at the first step
  show(steps, name = "") {
    if (name !== this.name) this.step = 0;
    this.name = name;
    const said = JSON.stringify(steps);
    if (said !== this.said) {
      this.said = said;
      this.items = steps.map(({ title, text }) => h("li", {}, title && h("b", {}, `${title}. `), text));
      this.list.replaceChildren(...this.items);
    }
    this.step = Math.min(this.step, Math.max(0, steps.length - 1));
    this.element.hidden = !steps.length;
    this.reveal();
  }

  go(by) {
    this.step = Math.min(this.items.length - 1, Math.max(0, this.step + by));
    this.reveal();
    const [pressed, other] = by > 0 ? [this.next, this.back] : [this.back, this.next];
    if (pressed.disabled) other.focus(); // keyboard users stay here
    this.shown();
  }

  reveal() {
    this.items.forEach((item, k) => {
      item.hidden = k > this.step;
      item.classList.toggle("lmdk-now", k === this.step);
    });
    this.back.disabled = this.step <= 0;
    this.next.disabled = this.step >= this.items.length - 1;
  }
}
