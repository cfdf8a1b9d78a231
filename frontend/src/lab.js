// What the page of every lab has: a header with undo, redo, reset and a link, settings beside the views, words above them,
// refusals as sentences, one update in flight. A lab builds its controls and views and draws what the kernel answers.
import leafletStyle from "leaflet/dist/leaflet.css";
import { hasAddress, tellSettings } from "./address.js";
import { addStyle, copyLink, copyPython, download, h, setText, unpack } from "./dom.js";
import { Notices } from "./notice.js";
import { Pump } from "./pump.js";
import { shortcuts } from "./shortcuts.js";
import style from "./style.css";
import { onTheme } from "./theme.js";
import { Uploader } from "./upload.js";

// A subclass overrides `build`, `setOptions`, `show`, `draw`, `recolour` and, for messages of its own, adds to
// `this.handlers`. `build` is called by this constructor: a subclass declares no class fields, they would come after it.
export class LabPage {
  constructor({ model, el, library }, { name, title, css = "" }) {
    this.model = model;
    this.library = library;
    this.paintings = 0;
    this.viewId = Math.random().toString(36).slice(2);
    this.send = (message, buffers) => model.send({ ...message, view: this.viewId }, undefined, buffers);
    this.pump = new Pump(this.send);
    this.root = h("div", { class: `lmdk-explorer lmdk-lab lmdk-${name}` });
    el.append(this.root);
    addStyle(el, leafletStyle, "leaflet");
    addStyle(el, style);
    if (css) addStyle(el, css, name);
    this.handlers = {
      options: (message) => this.setOptions(message),
      numbers: (message) => this.setNumbers(message),
      draw: (message, buffers) => this.setDrawing(message, buffers),
      refused: (message) => this.refused(message),
      file: (message, buffers) => this.saveFile(message, buffers),
      copy: (message) => copyPython(message, this.notices),
      received: () => this.uploader.received(),
      read: () => this.uploader.over(),
      say: (message) => this.notices.say(message.text),
    };
    this.frame(title);
    this.build(this.first, this.main, this.controls);
    this.wire();
    this.send({ type: "ready" });
  }

  frame(title) {
    const button = (text, act, attributes = {}) => h("button", { type: "button", onclick: act, ...attributes }, text);
    this.undo = button("Undo", () => this.pump.request({ op: "undo" }), { disabled: true });
    this.redo = button("Redo", () => this.pump.request({ op: "redo" }), { disabled: true });
    this.buttons = h(
      "div",
      { class: "lmdk-buttons" },
      this.undo,
      this.redo,
      button("Reset", () => this.pump.request({ op: "reset" })),
      button(hasAddress(this.root) ? "Copy link" : "Copy widget as Python", () => this.copyLink()),
    );
    const part = (name, label) => h("section", { class: `lmdk-${name}`, "aria-label": label });
    const words = part("words", "What the settings mean");
    this.controls = part("controls", "Settings");
    this.first = h("div", { class: "lmdk-labfirst" }); // what one looks at while moving a control: above it when narrow
    this.main = h("div", { class: "lmdk-labviews" });
    this.root.append(
      h("header", { class: "lmdk-header" }, h("h1", {}, title), this.buttons),
      h("div", { class: "lmdk-body" }, this.controls, h("div", { class: "lmdk-labmain" }, words, this.first, this.main)),
    );
    this.notices = new Notices(words);
    this.numbers = h("p", { class: "lmdk-paragraph", "data-lmdk": "numbers", "aria-live": "off" });
    this.warnings = h("ul", { class: "lmdk-warnings" });
    this.assumption = h("p", { class: "lmdk-assumption" });
    words.append(this.numbers, this.warnings, this.assumption);
    this.uploader = new Uploader(this.send, this.notices);
  }

  wire() {
    this.receive = (message, buffers) => {
      if (message.view && message.view !== this.viewId) return;
      this.handlers[message.type]?.(message, buffers);
    };
    this.model.on("msg:custom", this.receive);
    this.forgetTheme = onTheme(() => this.recolour());
    this.unbind = shortcuts(this.root, {
      undo: () => this.undo.click(),
      redo: () => this.redo.click(),
      again: () => this.again?.(),
      link: () => this.copyLink(),
      fit: () => this.fit?.(),
    });
  }

  // A change of one choice; commit false while a slider is on its way.
  ask(name, value, commit = true) {
    this.pump.request({ op: "set", name, value }, commit);
  }

  build() {}
  setOptions() {}
  show() {}
  async draw() {}
  recolour() {}

  // The text first: it is what the eye follows while dragging.
  setNumbers(message) {
    setText(this.numbers, message.words.paragraph);
    setText(this.assumption, message.words.assumption);
    const warnings = message.words.warnings.join("\n");
    if (warnings !== this.warningText) {
      this.warningText = warnings;
      this.warnings.replaceChildren(...message.words.warnings.map((text) => h("li", {}, text)));
    }
    this.undo.disabled = !message.can_undo;
    this.redo.disabled = !message.can_redo;
    this.link = message;
    tellSettings(this.root, message);
    this.choices = message.choices;
    if (message.id && message.asked === this.viewId) {
      this.pump.answered(message.id);
      this.notices.passed();
    }
    if (this.fields) this.fields.awaits = (name) => this.pump.awaits(name); // a lab's own controls
    this.show(message);
  }

  async setDrawing(message, buffers) {
    try {
      await this.draw(message, unpack(message.arrays, buffers));
      this.root.dataset.lmdkPainted = String(++this.paintings);
      this.root.dataset.lmdkReady = "1";
    } finally {
      // also when a view failed: what is asked next may be drawn
      if (message.asked === this.viewId) this.pump.done(message.id);
    }
  }

  refused(message) {
    if (message.id) this.pump.done(message.id);
    if (this.choices) this.show({ choices: this.choices, refused: true });
    this.notices.error(message.text, { rows: message.rows, rowName: message.row_name, more: message.more });
  }

  async copyLink() {
    if (!hasAddress(this.root)) this.send({ type: "python" });
    else if (this.link) this.notices.say(await copyLink(this.link));
  }

  saveFile({ name, mime }, buffers) {
    download(name, mime, buffers[0]);
    this.notices.say(`Saved ${name}.`);
  }

  remove() {
    this.model.off("msg:custom", this.receive);
    this.forgetTheme();
    this.unbind();
  }
}
