// An attack, told step by step; each step shows one sentence more and marks the people it is about.
import { button, h } from "../page/dom.js";

export class Steps {
  // mark(marks): what the picture shows of a step
  constructor(mark) {
    this.mark = mark;
    this.items = [];
    this.step = 0;
    this.list = h("ol", { class: "lmdk-steps", "data-lmdk": "steps", "aria-live": "polite" });
    this.back = button("Back", () => this.go(-1));
    this.next = button("Next step", () => this.go(1));
    this.element = h("div", { hidden: true }, this.list, h("div", { class: "lmdk-steprow" }, this.back, this.next));
  }

  // name: of the attack, "" for none; another one begins at its first step
  show(name, steps) {
    if (name !== this.name) this.step = 0;
    this.name = name;
    this.steps = steps;
    const text = JSON.stringify(steps);
    if (text !== this.text) {
      this.text = text;
      this.items = steps.map(({ title, text: said }) => h("li", {}, h("b", {}, `${title}. `), said));
      this.list.replaceChildren(...this.items);
    }
    this.step = Math.min(this.step, Math.max(0, steps.length - 1));
    this.element.hidden = !steps.length;
    this.reveal();
  }

  go(by) {
    this.step = Math.min(this.steps.length - 1, Math.max(0, this.step + by));
    this.reveal();
    const focused = by > 0 ? this.next : this.back;
    if (focused.disabled) (by > 0 ? this.back : this.next).focus(); // whoever uses keys stays here
  }

  reveal() {
    this.items.forEach((item, k) => {
      item.hidden = k > this.step;
      item.classList.toggle("lmdk-now", k === this.step);
    });
    this.back.disabled = this.step <= 0;
    this.next.disabled = this.step >= this.items.length - 1;
    this.mark(this.steps?.[this.step]?.marks ?? []);
  }
}
