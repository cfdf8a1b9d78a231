// What can be done on every page: undo, redo, share, save and help. On the dashboard they are in its bar, elsewhere above
// the page; what is needed less is in the help menu: a tour, larger letters, starting over, and the keyboard shortcuts.
import { hasAddress } from "./address.js";
import { button, closedFromOutside, h } from "./dom.js";
import { uploadButton } from "./fields.js";
import { icon } from "./icons.js";

const WHOLE = [
  ["Report: a page to read and print", "report"],
  ["What-if as one file", "what-if"],
  ["Charts as SVG", "svg"],
  ["Charts as PNG", "png"],
];
const CSV = "CSV";
const PRESENT = "Larger letters, controls and charts, for a room with a projector; press again to go back";
const RESET = "Every setting as it was at first; Undo reverses this";

export class Toolbar {
  // act: { undo, redo, reset, link, present(on), save(what), open(file) }; saves: { note, items: [[text, what]] after those of the
  // whole page, recorded: whether a what-if can be made, open: text, where files are opened again };
  // shortcuts: [[keys, what they do]]
  constructor(act, saves, shortcuts) {
    this.undo = iconButton("undo", "Undo", act.undo, { disabled: true });
    this.redo = iconButton("redo", "Redo", act.redo, { disabled: true });
    this.link = iconButton("share", "", act.link, {}, "Share");
    const turned = () => {
      this.menus[1].open = false; // what it changes is behind the menu
      act.present(this.present.ariaPressed !== "true");
    };
    this.present = button("Present", turned, { "aria-pressed": "false", title: PRESENT });
    this.tour = button("Tour", () => {}, { hidden: true }); // where a page has one
    this.headed = ["Title", "Author", "Purpose"].map((name) => h("input", { name, type: "text", maxlength: "300", "aria-label": `${name} of the report` }));
    this.menus = [this.saveMenu(saves, act), this.helpMenu(shortcuts, act)];
    const buttons = h("div", { class: "lmdk-buttons" }, this.undo, this.redo, this.link, ...this.menus);
    this.element = h("header", { class: "lmdk-header" }, buttons);
    this.remove = closedFromOutside(this.menus);
  }

  saveMenu({ note, items, recorded = true, open }, act) {
    const closing = (run) => (value) => {
      this.menus[0].open = false;
      run(value);
    };
    const save = (what, title) => closing(() => act.save(what, title));
    const opens = open ? [uploadButton(open, ".json", closing(act.open))] : [];
    const item = (text, what, attributes = {}) => button(text, save(what, text), { "data-name": what, ...attributes });
    const both = ([text, what]) => [item(text, what), ...(text.includes(CSV) ? [item(text.replace(CSV, "Parquet"), `${what}.parquet`, { hidden: true })] : [])];
    const whole = WHOLE.filter(([, what]) => recorded || what !== "what-if");
    const choices = [...[...whole, ...items].flatMap(both), ...opens];
    const head = h(
      "details",
      {},
      h("summary", {}, "Title, author and purpose of a report"),
      ...this.headed.map((input) => h("label", { class: "lmdk-field" }, `${input.name} `, input)),
    );
    return menu("save", "Save", "Save", h("div", { class: "lmdk-menuitems" }, h("p", { class: "lmdk-meaning" }, note), head, ...choices));
  }

  // What the user writes at the head of a report.
  heading() {
    return Object.fromEntries(this.headed.map(({ name, value }) => [name.toLowerCase(), value]));
  }

  helpMenu(shortcuts, act) {
    const list = shortcuts.flatMap(([keys, text]) => [h("dt", {}, keys), h("dd", {}, text)]);
    const buttons = h("div", { class: "lmdk-choices" }, this.tour, this.present, button("Reset", act.reset, { title: RESET }));
    this.foot = h("p", { class: "lmdk-foot" });
    const parts = [buttons, h("h2", {}, "Shortcuts"), h("dl", { class: "lmdk-keys" }, ...list), this.foot];
    return menu("help", "Help", "", h("div", { class: "lmdk-menuitems lmdk-helpitems" }, ...parts));
  }

  // Once the page is in the document: whether its address is ours to hold the settings.
  placed() {
    const text = hasAddress(this.element) ? "Copy link" : "Copy widget as Python";
    Object.assign(this.link, { ariaLabel: text, title: text });
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

  // The button is busy while a file is made; a second file has to wait.
  saving(on) {
    const [summary, ...rest] = this.menus[0].querySelectorAll("summary, button");
    const text = on ? "Saving …" : "Save";
    summary.querySelector(".lmdk-iconword").textContent = text;
    Object.assign(summary, { ariaLabel: text, ariaBusy: String(on) });
    for (const item of rest) item.disabled = on;
  }
}

// word: next to the icon, if there is room
function iconButton(name, label, act, attributes = {}, word = "") {
  const said = label ? { "aria-label": label, title: label } : {};
  const element = h("button", { type: "button", class: "lmdk-iconbutton", onclick: act, ...said, ...attributes });
  element.append(icon(name), ...(word ? [h("span", { class: "lmdk-iconword" }, word)] : []));
  return element;
}

function menu(name, title, word, items) {
  const summary = h("summary", { "aria-label": title, title }, icon(name), ...(word ? [h("span", { class: "lmdk-iconword" }, word)] : []));
  return h("details", { class: "lmdk-menu", "data-menu": name }, summary, items);
}
