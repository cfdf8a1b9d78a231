// Many settings at once as a table to choose from: computed only while it is open. Lists and conditions are typed, a click on
// a heading sorts, a click on a row opens its setting. All of it is computed and sorted in the kernel.
import { button, h, setText, table } from "../page/dom.js";
import { numberField, readNumber } from "../page/number_field.js";
import { Fold, fillTexts } from "./fold.js";
import { fillRows, openable } from "./rows.js";

const LISTS = ["epsilons", "radii_m"];
const LIMITS = ["most_error_m", "most_radius95_m", "most_loss", "most_landmark_loss"];
const LEGEND = "✓ meets every condition and comes first, ★ has the least error. A click on a row opens its setting, Undo leads back.";
let serial = 0;

export class SettingsTable {
  // ask(open): whether the table is wanted; change(name, value): of what is asked for; go(scheme, epsilon, radius): a setting
  // is wanted; save(): the file; awaits(name): a later value was asked for already
  constructor(element, { ask, change, go, save, awaits }) {
    this.change = change;
    this.awaits = awaits;
    /** @type {any} */
    this.form = null;
    /** @type {any} */
    this.columns = null; // until the controls are here
    this.inputs = {};
    this.controlsPlace = h("div", {});
    this.texts = h("div", { class: "lmdk-summary", role: "status" });
    this.body = h("tbody");
    this.place = h("div", {});
    openable(this.body, (k) => this.rows[k] && go(...this.rows[k]));
    const file = button("Table as CSV", save);
    const inside = h("div", { class: "lmdk-inside" }, this.controlsPlace, this.texts, this.place, h("div", { class: "lmdk-choices" }, file));
    this.fold = new Fold("settings", "A table to choose from", ask, inside);
    element.append(this.fold.element);
  }

  // fields: what is asked for, as the kernel declares it
  controls(fields) {
    const lists = LISTS.map((name) => this.list(name, fields[name]));
    const limits = LIMITS.map((name) => this.limit(name, fields[name]));
    const kept = h("input", { type: "checkbox", onchange: () => this.change("kept", kept.checked) });
    this.inputs.kept = { show: (value) => (kept.checked = value) };
    const check = h("label", { class: "lmdk-check" }, kept, ` ${fields.kept.label}`);
    this.controlsPlace.replaceChildren(this.schemes(fields.schemes), h("div", { class: "lmdk-pair" }, ...lists, ...limits), check);
    this.columns = fields.sort.choices;
    this.heads = this.columns.map(({ title }) => title[0].toUpperCase() + title.slice(1));
    this.sorters = this.columns.map(({ name }, k) => button(this.heads[k], () => this.change("sort", name), { class: "lmdk-sort", title: "Sort" }));
    this.place.replaceChildren(table("Settings to choose from", this.sorters, this.body), h("p", { class: "lmdk-meaning" }, LEGEND));
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
    const said = h("span", { class: unit ? "lmdk-inunit" : "" }, unit);
    return this.row(name, label, input, said);
  }

  row(name, label, input, more) {
    input.id = `lmdk-settings-${++serial}`;
    let typing = false; // what is typed stays until it is entered
    input.addEventListener("input", () => (typing = true));
    input.addEventListener("change", () => (typing = false), { capture: true });
    this.inputs[name] = { show: (value) => !typing && (input.value = value ?? "") };
    const where = name === "radii_m" ? " lmdk-ofmap" : "";
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

  draw({ form, texts, waits, cells, go, met, best, chosen }) {
    if (!this.columns) return; // told to all before this page has asked: its answer brings the same
    this.form = form;
    this.rows = go;
    this.restore();
    fillTexts(this.texts, texts);
    for (const [k, { name }] of this.columns.entries()) {
      const order = name === form.sort ? (form.falling ? "descending" : "ascending") : "none";
      this.sorters[k].parentElement.setAttribute("aria-sort", order);
    }
    this.body.classList.toggle("lmdk-waits", waits);
    const mark = (k) => (k === best ? "★ " : met[k] ? "✓ " : "");
    const rows = cells.map(([first, ...rest], k) => [mark(k) + first, ...rest]);
    fillRows(this.body, rows, this.heads, (k) => ({
      class: met[k] ? "lmdk-meets" : undefined,
      "aria-current": k === chosen ? "true" : undefined,
    }));
  }
}
