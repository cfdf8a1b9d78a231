// What the adversary knows of how places follow each other: the chain in words and as a heat map, and a field for a matrix.
import { h, setText } from "../page/dom.js";
import { uploadButton } from "../page/fields.js";
import { HeatMap } from "../page/heat_map.js";

export class MatrixView {
  // ask(text, normalize): a matrix as text
  constructor(ask) {
    this.caption = h("p", { class: "lmdk-meaning", role: "status" });
    this.text = h("textarea", { rows: "4", spellcheck: "false", class: "lmdk-matrix", "aria-label": "Transition matrix" });
    const upload = uploadButton("Upload a matrix", ".csv,.txt,.tsv,.json", async (file) => ask(await file.slice(0, 1 << 20).text(), false));
    this.field = h(
      "div",
      { class: "lmdk-field", hidden: true },
      h("label", {}, "Matrix, one row per line", this.text),
      h("button", { type: "button", onclick: () => ask(this.text.value, false) }, "Use this matrix"),
      upload,
    );
    this.heat = new HeatMap();
    this.figure = h("details", {}, h("summary", {}, "The chain as a heat map"), this.heat.element);
    this.parts = [this.field, this.caption, this.figure];
  }

  show(asked) {
    this.field.hidden = !asked;
  }

  // arrays: matrix, row by row, and long_run
  /** @param {{ states: number, text: string, rows: string }} message @param {any} arrays */
  draw({ states, text, rows }, { matrix, long_run: longRun }) {
    setText(this.caption, text);
    this.figure.hidden = !states;
    if (document.activeElement !== this.text && rows) this.text.value = rows;
    if (states)
      this.heat.draw(
        Array.from({ length: states }, (_, k) => String(k + 1)),
        matrix,
        longRun,
        text,
      );
  }

  remove() {
    this.heat.remove();
  }
}
