// A field for a transition matrix: pasted, typed or uploaded, and used when its button is pressed.
import { button, h } from "./dom.js";
import { uploadButton } from "./fields.js";

export class MatrixField {
  // use(text): the matrix as text; label of the field, text: what its button says, upload: what uploading does, name:
  // the name of the field for people who cannot see it
  constructor({ label, name, text, upload, use }) {
    this.text = h("textarea", { rows: "4", spellcheck: "false", class: "lmdk-matrix", "aria-label": name });
    this.button = button(text, () => use(this.text.value));
    const file = uploadButton(upload, ".csv,.txt,.tsv,.json", async (chosen) => use(await chosen.slice(0, 1 << 20).text()));
    this.element = h("div", { class: "lmdk-field" }, h("label", {}, label, this.text), this.button, file);
  }
}
