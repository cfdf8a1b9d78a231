// The row at the top of every page: its title, undo, redo, reset, the link, what can be saved, and the keyboard shortcuts.
import { hasAddress } from "./address.js";
import { button, h } from "./dom.js";
import { uploadButton } from "./fields.js";

const PRESENT = "Larger letters, controls and charts, for a room with a projector; press again to go back";

export class Toolbar {
  // act: { undo, redo, reset, link, present(on), save(what), open(file) }; saves: { note, items: [[text, what]], open: text } or nothing;
  // shortcuts: [[keys, what they do]]
  constructor(title, act, saves, shortcuts) {
    this.undo = button("Undo", act.undo, { disabled: true });
    this.redo = button("Redo", act.redo, { disabled: true });
    this.link = button("", act.link);
    this.present = button("Present", () => act.present(this.present.ariaPressed !== "true"), { "aria-pressed": "false", title: PRESENT });
    this.menus = [...(saves ? [this.saveMenu(saves, act)] : []), shortcutMenu(shortcuts)];
    const buttons = h("div", { class: "lmdk-buttons" }, this.undo, this.redo, button("Reset", act.reset), this.link, this.present, ...this.menus);
    this.element = h("header", { class: "lmdk-header" }, h("h1", {}, title), buttons);
    this.closeOutside = (event) => {
      for (const menu of this.menus) if (menu.open && !menu.contains(event.target)) menu.open = false;
    };
    document.addEventListener("pointerdown", this.closeOutside);
    this.element.addEventListener("keydown", (event) => {
      const menu = event.target.closest(".lmdk-menu[open]");
      if (event.key !== "Escape" || !menu) return;
      menu.open = false;
      menu.querySelector("summary").focus();
    });
  }

  saveMenu({ note, items, open }, act) {
    const closing = (run) => (value) => {
      this.menus[0].open = false;
      run(value);
    };
    const save = (what) => closing(() => act.save(what));
    const choices = [...items.map(([text, what]) => button(text, save(what))), uploadButton(open, ".json", closing(act.open))];
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

  remove() {
    document.removeEventListener("pointerdown", this.closeOutside);
  }
}

function shortcutMenu(shortcuts) {
  const list = shortcuts.flatMap(([keys, text]) => [h("dt", {}, keys), h("dd", {}, text)]);
  return menu("Shortcuts", h("dl", { class: "lmdk-menuitems lmdk-keys" }, ...list));
}

const menu = (title, items) => h("details", { class: "lmdk-menu" }, h("summary", { "aria-label": title }, title), items);
