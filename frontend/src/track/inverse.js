// Inverse questions: the user types what is wanted, the page says what achieves it, and a button sets that.
import { button, h, setText } from "../page/dom.js";

export class Inverse {
  // set(name, value): an answer is taken
  constructor(set) {
    this.set = set;
    this.pairs = h("div", { class: "lmdk-inverse lmdk-pair" });
    this.note = h("p", { class: "lmdk-meaning" });
    this.element = h("div", {}, this.pairs, this.note);
    this.answers = {};
  }

  // rows: the fields of what is wanted, by name
  controls(rows) {
    for (const [name, row] of Object.entries(rows)) {
      const text = h("p", { class: "lmdk-meaning", role: "status" });
      const take = button("", () => this.answers[name].set && this.set(...this.answers[name].set));
      const element = h("div", {}, row, text, take);
      this.answers[name] = { element, text, take, set: null };
      this.pairs.append(element);
    }
  }

  // rows: the answers; a question that these data do not have is hidden. note: what is true of each
  show(rows = [], note = "") {
    setText(this.note, note);
    for (const [name, { element }] of Object.entries(this.answers)) element.hidden = rows.length > 0 && !rows.some((row) => row.name === name);
    for (const { name, text, set } of rows) {
      const answer = this.answers[name];
      setText(answer.text, text);
      answer.set = set;
      answer.take.hidden = !set;
      if (set) setText(answer.take, `Use ${set[0]} ${set[1]}`);
    }
  }
}
