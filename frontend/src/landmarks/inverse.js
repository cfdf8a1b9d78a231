// Inverse questions: the user types what is wanted, the page says what achieves it, and a button sets that.
import { button, h, setText } from "../page/dom.js";

export class Inverse {
  // set(name, value): an answer is taken
  constructor(set) {
    this.set = set;
    this.element = h("div", { class: "lmdk-inverse lmdk-pair" });
    this.answers = {};
  }

  // rows: the fields of what is wanted, by name
  controls(rows) {
    for (const [name, row] of Object.entries(rows)) {
      const text = h("p", { class: "lmdk-meaning", role: "status" });
      const take = button("", () => this.answers[name].set && this.set(...this.answers[name].set));
      this.answers[name] = { text, take, set: null };
      this.element.append(h("div", {}, row, text, take));
    }
  }

  show(rows) {
    for (const { name, text, set } of rows) {
      const answer = this.answers[name];
      setText(answer.text, text);
      answer.set = set;
      answer.take.hidden = !set;
      if (set) setText(answer.take, `Use ${set[0]} ${set[1]}`);
    }
  }
}
