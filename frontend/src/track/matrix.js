// What the adversary knows of how places follow each other: the chain in words and as a heat map, and a field for a matrix.
import { details, h, setText } from "../page/dom.js";
import { HeatMap } from "../page/heat_map.js";
import { MatrixField } from "../page/matrix_field.js";

export class MatrixView {
  // ask(text, normalize): a matrix as text; save: as for HeatMap
  constructor(ask, save) {
    this.caption = h("p", { class: "lmdk-meaning", role: "status" });
    const use = (text) => ask(text, false);
    const field = new MatrixField({ label: "Matrix, one row per line", name: "Transition matrix", text: "Use this matrix", upload: "Upload a matrix", use });
    this.text = field.text;
    this.field = field.element;
    this.field.hidden = true;
    this.heat = new HeatMap(save);
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
