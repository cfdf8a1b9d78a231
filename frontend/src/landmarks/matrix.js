// What the adversary knows of how places follow each other: the chain in words and as a heat map, and a field for a matrix.
import { button, details, h, setText } from "../page/dom.js";
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
      button("Use this matrix", () => ask(this.text.value, false)),
      upload,
    );
    this.heat = new HeatMap();
    this.figure = details("The chain as a heat map", this.heat.element);
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
    const names = Array.from({ length: states }, (_, k) => String(k + 1));
    if (states) this.heat.draw(names, matrix, longRun, text);
  }
}
