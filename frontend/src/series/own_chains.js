// The user's own chains: a start and a matrix for each, as text. What is typed stays until it is used; otherwise Python says
// what a field contains.
import { button, h, setText } from "../page/dom.js";
import { MatrixField } from "../page/matrix_field.js";

const ABOUT =
  "A row of the matrix is a state, a column the next one; each row sums to 1. The start is the probability of each state at the first timestamp. Adversaries may believe in any of the chains.";

export class OwnChains {
  // ask(operation)
  constructor(ask) {
    this.ask = ask;
    /** @type {OwnChain[]} */
    this.chains = [];
    this.list = h("div");
    this.add = button("Add a chain", () => ask({ op: "add-chain" }));
    this.sample = button("Load two published chains", () => ask({ op: "published-chains" }));
    this.about = h("p", { class: "lmdk-meaning" });
    this.limit = h("p", { class: "lmdk-meaning" });
    this.element = h(
      "div",
      { class: "lmdk-ownchains", hidden: true },
      h("p", { class: "lmdk-meaning" }, ABOUT),
      this.limit,
      this.list,
      h("div", { class: "lmdk-stackrow" }, this.add, this.sample),
      this.about,
    );
  }

  // rows: the start and the matrix of each chain; most: how many there may be; sample: what the button loads; limit: how long
  // a series may be
  show({ rows, most, sample, limit }, asked) {
    this.element.hidden = !asked;
    while (this.chains.length > rows.length) this.chains.splice(this.removed ?? -1, 1)[0].element.remove();
    this.removed = undefined;
    while (this.chains.length < rows.length) {
      const chain = new OwnChain((operation) => this.use(chain, operation));
      this.chains.push(chain);
      this.list.append(chain.element);
    }
    this.chains.forEach((chain, k) => chain.show(k, rows[k], rows.length > 1));
    this.add.disabled = rows.length >= most;
    setText(this.about, sample);
    setText(this.limit, limit);
  }

  use(chain, { op, ...more }) {
    this.last = { op, index: this.chains.indexOf(chain), ...more };
    if (op === "remove-chain") this.removed = this.last.index; // what is typed in the others stays
    this.ask(this.last);
  }

  // Sends the refused chain once more, each row divided by its sum.
  normalize() {
    this.ask({ ...this.last, normalize: true });
  }
}

class OwnChain {
  constructor(ask) {
    this.start = h("input", { type: "text", class: "lmdk-start", spellcheck: "false", autocomplete: "off", placeholder: "empty: the long run" });
    const use = (matrix) => ask({ op: "chain", initial: this.start.value, matrix });
    this.field = new MatrixField({ label: "Matrix, one row per line", name: "", text: "", upload: "Upload a matrix", use });
    this.start.addEventListener("keydown", (event) => event.key === "Enter" && use(this.field.text.value));
    this.less = button("", () => ask({ op: "remove-chain" }));
    this.legend = h("legend", {}, "");
    this.field.element.append(this.less);
    this.element = h("fieldset", { class: "lmdk-ownchain" }, this.legend, h("label", {}, "Start", this.start), this.field.element);
    this.shown = { initial: "", matrix: "" };
  }

  // A field is rewritten only if Python's text for it has changed: what is being typed stays.
  show(k, { initial, matrix }, removable) {
    const name = `chain ${k + 1}`;
    setText(this.legend, `Chain ${k + 1}`);
    setText(this.field.button, `Use ${name}`);
    setText(this.less, `Remove ${name}`);
    this.less.hidden = !removable;
    this.start.setAttribute("aria-label", `Start of ${name}`);
    this.field.text.setAttribute("aria-label", `Matrix of ${name}`);
    this.element.querySelector("input[type=file]").setAttribute("aria-label", `Upload the matrix of ${name}`);
    if (initial !== this.shown.initial) this.start.value = initial;
    if (matrix !== this.shown.matrix) this.field.text.value = matrix;
    this.shown = { initial, matrix };
  }
}
