// The columns of a table: which an attacker knows, how coarse each of them is published, and which one is to be hidden.
import { button, h, setText } from "../page/dom.js";
import { endsOf } from "../page/fields.js";
import { Aside } from "../page/shape.js";

let serial = 0;

export class Columns {
  // ask(operation, column, more); set(name, value) of a choice
  constructor(ask, set) {
    this.ask = ask;
    this.set = set;
    this.group = `lmdk-hidden-${++serial}`;
    this.element = h("div", { class: "lmdk-tablecolumns", role: "group", "aria-label": "Columns of the table" });
    this.rows = [];
    this.itself = button("As coarse as k needs", () => set("levels", this.byItself ? this.levels : []));
    this.aside = new Aside("Columns", this.itself, this.element);
  }

  show({ columns, known, by_itself: byItself }) {
    this.byItself = byItself;
    this.levels = columns.map(({ level }) => level);
    this.itself.ariaPressed = String(byItself);
    this.aside.say(known);
    const key = JSON.stringify(columns.map(({ name, levels }) => [name, levels]));
    if (key !== this.key) {
      this.key = key;
      this.rows = columns.map((column, k) => this.row(column, k));
      this.element.replaceChildren(...this.rows.map(({ element }) => element));
    }
    columns.forEach((column, k) => this.rows[k].show(column));
  }

  // In a file without a kernel the columns stay as they are.
  fix() {
    for (const control of [this.itself, ...this.element.querySelectorAll("input")]) Object.assign(control, { disabled: true, title: "Fixed in this file" });
  }

  row({ name, levels }, k) {
    const known = h("input", { type: "checkbox", onchange: () => this.ask("known", k, { on: known.checked }) });
    const hidden = h("input", { type: "radio", name: this.group, onchange: () => this.set("sensitive", k) });
    const most = String(levels.length - 1);
    const range = h("input", { type: "range", min: "0", max: most, step: "1", "aria-label": `${name}: how coarse` });
    range.addEventListener("input", () => this.ask("level", k, { value: Number(range.value) }));
    const now = h("span", { class: "lmdk-meaning" });
    const slide = h("div", { class: "lmdk-coarse" }, now, range, endsOf(range, levels[0], levels.at(-1)));
    const choose = h("div", { class: "lmdk-columnrow" }, h("label", {}, known, " attackers know"), h("label", {}, hidden, " to be hidden"));
    const element = h("div", { class: "lmdk-field lmdk-column", role: "group", "aria-label": `Column ${name}` }, h("b", {}, name), choose, slide);
    const show = (column) => {
      known.checked = column.known;
      hidden.checked = column.hidden;
      slide.hidden = !column.known;
      const values = column.values === 1 ? "one value" : `${column.values.toLocaleString("en")} values`;
      setText(now, `${levels[column.level]}, ${values}`);
      range.setAttribute("aria-valuetext", levels[column.level]);
      if (!range.matches(":active")) range.value = String(column.level);
    };
    return { element, show };
  }
}
