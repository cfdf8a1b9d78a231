// The row at the top of every page: its title, undo, redo, reset, the link, what can be saved, and the keyboard shortcuts.
import { hasAddress } from "./address.js";
import { h } from "./dom.js";
import { uploadButton } from "./fields.js";

export class Toolbar {
  // act: { undo, redo, reset, link, save(what), open(file) }; saves: { note, items: [[text, what]], open: text } or nothing;
  // shortcuts: [[keys, what they do]]
  constructor(title, act, saves, shortcuts) {
    const button = (text, handler, attributes = {}) => h("button", { type: "button", onclick: handler, ...attributes }, text);
    this.undo = button("Undo", act.undo, { disabled: true });
    this.redo = button("Redo", act.redo, { disabled: true });
    this.link = button("", act.link);
    this.menus = [...(saves ? [this.saveMenu(saves, act, button)] : []), shortcutMenu(shortcuts)];
    const buttons = h("div", { class: "lmdk-buttons" }, this.undo, this.redo, button("Reset", act.reset), this.link, ...this.menus);
    this.element = h("header", { class: "lmdk-header" }, h("h1", {}, title), buttons);
    this.closeOutside = (event) => {
      for (const menu of this.menus) if (menu.open && !menu.contains(event.target)) menu.open = false;
    };
    document.addEventListener("pointerdown", this.closeOutside);
    for (const menu of this.menus) {
      menu.addEventListener("keydown", (event) => {
        if (event.key !== "Escape" || !menu.open) return;
        menu.open = false;
        menu.querySelector("summary").focus();
      });
    }
  }

  saveMenu({ note, items, open }, act, button) {
    const closing = (run) => (value) => {
      this.menus[0].open = false;
      run(value);
    };
    return h(
      "details",
      { class: "lmdk-menu" },
      h("summary", { "aria-label": "Save" }, "Save"),
      h(
        "div",
        { class: "lmdk-menuitems" },
        h("p", { class: "lmdk-meaning" }, note),
        ...items.map(([text, what]) =>
          button(
            text,
            closing(() => act.save(what)),
          ),
        ),
        uploadButton(open, ".json", closing(act.open)),
      ),
    );
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
  const list = h("dl", { class: "lmdk-menuitems lmdk-keys" }, ...shortcuts.flatMap(([keys, text]) => [h("dt", {}, keys), h("dd", {}, text)]));
  return h("details", { class: "lmdk-menu" }, h("summary", {}, "Shortcuts"), list);
}
