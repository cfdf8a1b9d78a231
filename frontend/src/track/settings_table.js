// Many settings at once as a table to choose from: computed only while it is open. Lists and conditions are typed, a click on
// a heading sorts, a click on a row opens its setting. All of it is computed and sorted in the kernel.
import { OpenTable } from "../page/blocks.js";
import { button, h, setText } from "../page/dom.js";
import { numberField, readNumber } from "../page/number_field.js";
import { Fold, fillTexts } from "./fold.js";

const LISTS = ["epsilons", "radii_m"];
const LIMITS = ["most_error_m", "most_radius95_m", "most_loss", "most_landmark_loss", "least_found_m"];
const LEGEND =
  "✓ meets every condition and comes first; ★ has the least error of these, and no answer is worse than now. A click on a row opens its setting; Undo returns.";
let serial = 0;

// A table whose headings sort it, but for those whose sort is "".
class SortedTable extends OpenTable {
  // open(k): the setting of the k-th row is wanted; sort(k): it is to be sorted by the k-th column
  constructor(open, sort) {
    super(open);
    this.sort = sort;
    this.sorts = [];
  }

  heading(text, k) {
    return this.sorts[k] === "" ? text : button(text, () => this.sort(k), { class: "lmdk-sort", title: "Sort" });
  }

  // orders: of each column, "ascending", "descending" or "none"
  sorted(orders) {
    for (const [k, heading] of [...this.head.querySelectorAll("th")].entries()) heading.setAttribute("aria-sort", orders[k]);
  }
}

export class SettingsTable {
  // ask(open): whether the table is wanted; change(name, value): of what is asked for; go(scheme, epsilon, radius): a setting
  // is wanted; save(): the file; awaits(name): a later value was asked for already
  constructor(element, { ask, change, go, save, awaits }) {
    this.change = change;
    this.awaits = awaits;
    /** @type {any} */
    this.form = null;
    /** @type {any} */
    this.inputs = {};
    this.controlsPlace = h("div", {});
    this.texts = h("div", { class: "lmdk-summary", role: "status" });
    const open = (k) => this.rows[k] && go(...this.rows[k]);
    this.table = new SortedTable(open, (k) => this.change("sort", this.sorts[k]));
    const legend = h("p", { class: "lmdk-meaning" }, LEGEND);
    const file = h("div", { class: "lmdk-choices" }, button("Table as CSV", save));
    const inside = h("div", { class: "lmdk-inside" }, this.controlsPlace, this.texts, this.table.element, legend, file);
    this.fold = new Fold("settings", "", ask, inside);
    element.append(this.fold.element);
  }

  // fields: of the page, as the kernel declares them
  controls(fields) {
    const lists = LISTS.map((name) => this.list(name, fields[`table.${name}`]));
    const limits = LIMITS.map((name) => this.limit(name, fields[`table.${name}`]));
    const kept = h("input", { type: "checkbox", onchange: () => this.change("kept", kept.checked) });
    this.inputs.kept = { show: (value) => (kept.checked = value) };
    const check = h("label", { class: "lmdk-check" }, kept, ` ${fields["table.kept"].label}`);
    this.controlsPlace.replaceChildren(this.schemes(fields["table.schemes"]), h("div", { class: "lmdk-pair" }, ...lists, ...limits), check);
  }

  schemes({ label, choices }) {
    const boxes = choices.map(({ name }) => h("input", { type: "checkbox", value: name, onchange: () => send() }));
    const send = () =>
      this.change(
        "schemes",
        boxes.filter((box) => box.checked).map((box) => box.value),
      );
    this.inputs.schemes = { show: (names) => boxes.forEach((box) => (box.checked = names.includes(box.value))) };
    const labels = choices.map(({ title }, k) => h("label", {}, boxes[k], ` ${title}`));
    return h("div", { class: "lmdk-schemes", role: "group", "aria-label": label }, ...labels);
  }

  list(name, { label }) {
    const input = h("input", { type: "text", autocomplete: "off" });
    input.addEventListener("change", () => this.change(name, input.value));
    const hint = h("span", { class: "lmdk-meaning" }, name === "epsilons" ? "0.1 0.5 1, or 0.1 to 10 in 9" : "metres: 100 200 500, or 50 to 5000 in 7");
    return this.row(name, label, input, hint);
  }

  limit(name, { label, unit }) {
    const input = numberField({ placeholder: "none" });
    input.addEventListener("change", () => this.change(name, readNumber(input.value)));
    const said = h("span", { class: unit && name !== "least_found_m" ? "lmdk-inunit" : "" }, unit);
    return this.row(name, label, input, said);
  }

  row(name, label, input, more) {
    input.id = `lmdk-settings-${++serial}`;
    let typing = false; // what is typed stays until it is entered
    input.addEventListener("input", () => (typing = true));
    input.addEventListener("change", () => (typing = false), { capture: true });
    this.inputs[name] = { show: (value) => !typing && (input.value = value ?? "") };
    const where = ["radii_m", "least_found_m"].includes(name) ? " lmdk-ofmap" : "";
    return h("div", { class: `lmdk-field${where}` }, h("label", { for: input.id }, label), input, more);
  }

  // The unit of lengths, or of a series.
  unit(unit) {
    for (const said of this.fold.element.querySelectorAll(".lmdk-inunit")) setText(said, unit);
  }

  show(wanted) {
    this.fold.show(wanted);
  }

  // After a refusal the fields hold again what is in use.
  restore() {
    for (const [name, value] of Object.entries(this.form ?? {})) if (!this.awaits(name)) this.inputs[name]?.show(value);
  }

  draw({ form, texts, waits, table, sorts, go, met, best }) {
    this.form = form;
    this.rows = go;
    this.sorts = sorts;
    this.restore();
    fillTexts(this.texts, texts);
    this.table.waits(waits);
    this.table.sorts = sorts;
    const signs = met.map((good, k) => (k === best ? "★ " : good ? "✓ " : ""));
    this.table.show(table, signs, met);
    this.table.sorted(sorts.map((name) => (name !== form.sort ? "none" : form.falling ? "descending" : "ascending")));
  }
}
