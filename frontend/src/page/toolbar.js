// The row at the top of every page: its title, undo, redo, reset, the link, what can be saved, and the keyboard shortcuts.
import { hasAddress } from "./address.js";
import { button, closedFromOutside, h } from "./dom.js";
import { uploadButton } from "./fields.js";

const CSV = "CSV";
const PRESENT = "Larger letters, controls and charts, for a room with a projector; press again to go back";

export class Toolbar {
  // act: { undo, redo, reset, link, present(on), save(what), open(file) }; saves: { note, items: [[text, what]], open: text, where
  // files are opened again };
  // shortcuts: [[keys, what they do]]
  constructor(title, act, saves, shortcuts) {
    this.undo = button("Undo", act.undo, { disabled: true });
    this.redo = button("Redo", act.redo, { disabled: true });
    this.link = button("", act.link);
    this.present = button("Present", () => act.present(this.present.ariaPressed !== "true"), { "aria-pressed": "false", title: PRESENT });
    this.tour = button("Tour", () => {}, { hidden: true }); // where a page has one
    this.menus = [this.saveMenu(saves, act), shortcutMenu(shortcuts)];
    const buttons = h("div", { class: "lmdk-buttons" }, this.undo, this.redo, button("Reset", act.reset), this.link, this.present, this.tour, ...this.menus);
    this.element = h("header", { class: "lmdk-header" }, h("h1", {}, title), buttons);
    this.remove = closedFromOutside(this.menus);
  }

  saveMenu({ note, items, open }, act) {
    const closing = (run) => (value) => {
      this.menus[0].open = false;
      run(value);
    };
    const save = (what, title) => closing(() => act.save(what, title));
    const opens = open ? [uploadButton(open, ".json", closing(act.open))] : [];
    const item = (text, what, attributes = {}) => button(text, save(what, text), { "data-name": what, ...attributes });
    const both = ([text, what]) => [item(text, what), ...(text.includes(CSV) ? [item(text.replace(CSV, "Parquet"), `${what}.parquet`, { hidden: true })] : [])];
    const choices = [...items.flatMap(both), ...opens];
    return menu("Save", h("div", { class: "lmdk-menuitems" }, h("p", { class: "lmdk-meaning" }, note), ...choices));
  }

  // Once the page is in the document: whether its address is ours to hold the settings.
  placed() {
    this.link.textContent = hasAddress(this.element) ? "Copy link" : "Copy widget as Python";
  }

  show({ can_undo: undo, can_redo: redo }) {
    this.undo.disabled = !undo;
    this.redo.disabled = !redo;
  }

  // Tables are offered as Parquet where that can be written; in a file without a kernel nothing is saved, linked or toured.
  suit(root, { parquet, recorded }) {
    if (parquet) this.withParquet();
    if (!recorded) return;
    root.classList.add("lmdk-recorded");
    for (const item of [this.link, this.tour, this.menus[0]]) item.remove();
  }

  // Tables are offered as Parquet too.
  withParquet() {
    this.parquet = true;
    for (const item of this.menus[0].querySelectorAll("[data-name$='.parquet']")) item.hidden = false;
  }

  // Whether something can be saved now.
  offer(what, on) {
    for (const item of this.menus[0].querySelectorAll(`[data-name="${what}"], [data-name="${what}.parquet"]`)) {
      item.hidden = !on || (item.dataset.name !== what && !this.parquet);
    }
  }

  // The button is busy while a file is made; a second one waits for its end.
  saving(on) {
    const [summary, ...rest] = this.menus[0].querySelectorAll("summary, button");
    const text = on ? "Saving …" : "Save";
    Object.assign(summary, { textContent: text, ariaLabel: text, ariaBusy: String(on) });
    for (const item of rest) item.disabled = on;
  }
}

function shortcutMenu(shortcuts) {
  const list = shortcuts.flatMap(([keys, text]) => [h("dt", {}, keys), h("dd", {}, text)]);
  return menu("Shortcuts", h("dl", { class: "lmdk-menuitems lmdk-keys" }, ...list));
}

const menu = (title, items) => h("details", { class: "lmdk-menu" }, h("summary", { "aria-label": title }, title), items);
