// A table of settings: a click on a row opens its setting, and so does Enter on its name. One name is reached by Tab, the
// others by arrow keys.
import { TableBlock } from "../page/blocks.js";
import { button } from "../page/dom.js";

export class OpenTable extends TableBlock {
  // open(k): the setting of the k-th row is wanted
  constructor(open) {
    super();
    const index = (event) => [...this.body.children].indexOf(event.target.closest("tr"));
    this.body.addEventListener("click", (event) => {
      if (index(event) >= 0 && !window.getSelection()?.toString()) open(index(event));
    });
    this.body.addEventListener("keydown", (event) => {
      const by = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }[event.key];
      if (!by || index(event) < 0) return;
      event.preventDefault();
      this.focusRow(Math.min(Math.max(index(event) + by, 0), this.body.children.length - 1));
    });
  }

  // signs: before the name of each row; met: whether it is one of the good ones. Who stands on a row still does afterwards.
  show(table, signs = [], met = []) {
    const at = [...this.body.children].findIndex((row) => row.contains(this.body.getRootNode().activeElement));
    this.signs = signs;
    super.show(table);
    for (const [k, row] of [...this.body.children].entries()) row.classList.toggle("lmdk-meets", met[k] === true);
    if (at >= 0 && table.rows.length) this.focusRow(Math.min(at, table.rows.length - 1));
  }

  name(text, k) {
    return button(`${this.signs[k] ?? ""}${text}`, () => {}, { class: "lmdk-open", title: "Open this setting", tabindex: k ? "-1" : "0" });
  }

  focusRow(k) {
    for (const [i, row] of [...this.body.children].entries()) row.querySelector("button").tabIndex = i === k ? 0 : -1;
    this.body.children[k]?.querySelector("button").focus();
  }

  // The previous rows, which are dimmed.
  waits(on) {
    this.body.classList.toggle("lmdk-waits", on);
  }
}
