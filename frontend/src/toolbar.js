// The row of buttons at the top: undo, redo, reset, copy link, save, shortcuts.
import { h } from "./dom.js";

export class Toolbar {
  constructor(element, act) {
    const button = (text, handler, attributes = {}) => h("button", { type: "button", onclick: handler, ...attributes }, text);
    this.undo = button("Undo", act.undo, { disabled: true });
    this.redo = button("Redo", act.redo, { disabled: true });
    const open = h("input", { type: "file", class: "lmdk-file", "aria-label": "Open a scenario", accept: ".json" });
    open.addEventListener("change", () => {
      if (open.files[0]) act.open(open.files[0]);
      open.value = "";
      this.menu.open = false;
    });
    const item = (text, what) =>
      button(text, () => {
        act.save(what);
        this.menu.open = false;
      });
    this.menu = h(
      "details",
      { class: "lmdk-menu" },
      h("summary", { "aria-label": "Save" }, "Save"),
      h(
        "div",
        { class: "lmdk-menuitems" },
        h("p", { class: "lmdk-meaning" }, "Simulation, not a private release: every file says so. Files draw their own noise, so their points differ from those on the screen: whoever has the seed can take the screen's noise off."),
        item("Release as CSV", "csv"),
        item("Release as GeoJSON", "geojson"),
        item("Map as a web page", "html"),
        item("Scenario as JSON", "scenario"),
        item("Copy as Python", "python"),
        h("label", { class: "lmdk-upload" }, "Open a scenario", open),
      ),
    );
    const keys = h(
      "details",
      { class: "lmdk-menu" },
      h("summary", {}, "Shortcuts"),
      h("dl", { class: "lmdk-menuitems lmdk-keys" }, ...act.shortcuts.flatMap(([k, t]) => [h("dt", {}, k), h("dd", {}, t)])),
    );
    element.append(
      h("h1", {}, "How private is this track?"),
      h(
        "div",
        { class: "lmdk-buttons" },
        this.undo,
        this.redo,
        button("Reset", act.reset),
        button(act.linkText, act.link),
        this.menu,
        keys,
      ),
    );
    this.closeOutside = (event) => {
      for (const menu of [this.menu, keys]) if (menu.open && !menu.contains(event.target)) menu.open = false;
    };
    document.addEventListener("pointerdown", this.closeOutside);
    for (const menu of [this.menu, keys]) {
      menu.addEventListener("keydown", (event) => {
        if (event.key !== "Escape" || !menu.open) return;
        menu.open = false;
        menu.querySelector("summary").focus();
      });
    }
  }

  show({ can_undo: undo, can_redo: redo }) {
    this.undo.disabled = !undo;
    this.redo.disabled = !redo;
  }

  press(name) {
    this[name].click();
  }
}
