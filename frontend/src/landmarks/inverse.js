// Inverse questions: what is wanted is typed, what it takes is said, and a button takes it.
import { button, h, setText } from "../page/dom.js";
import { Fold } from "./fold.js";

export class Inverse {
  // ask(open): whether the answers are wanted; set(name, value): an answer is taken
  constructor(ask, set) {
    this.set = set;
    this.inside = h("div", {});
    this.fold = new Fold("inverse", "Which epsilon do I need?", ask, this.inside);
    this.element = this.fold.element;
    this.answers = {};
  }

  // rows: the fields of what is wanted, by name
  controls(rows) {
    for (const [name, row] of Object.entries(rows)) {
      const text = h("p", { class: "lmdk-meaning", role: "status" });
      const take = button("", () => this.answers[name].set && this.set(...this.answers[name].set));
      this.answers[name] = { text, take, set: null };
      this.inside.append(row, text, take);
    }
  }

  show(wanted, rows) {
    this.fold.show(wanted);
    for (const { name, text, set } of rows) {
      const answer = this.answers[name];
      setText(answer.text, text);
      answer.set = set;
      answer.take.hidden = !set;
      if (set) setText(answer.take, `Use ${set[0]} ${set[1]}`);
    }
  }
}
