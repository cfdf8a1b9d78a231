// What every page has: a toolbar, settings beside the views, words above them, refusals as sentences, one update in
// flight. The controls come from the declarations of the choices that Python sends. A page adds its views and draws what
// the kernel answers; it computes nothing.
import { hasAddress, tellSettings } from "./address.js";
import { addStyle, changesOnEnter, copyLink, h, setText, unpack } from "./dom.js";
import { takesDrops } from "./drop.js";
import { Fields } from "./fields.js";
import { takesHanded } from "./handed.js";
import { Kept, keepTab, sent } from "./kept.js";
import { Notices } from "./notice.js";
import { onPresent, present } from "./present.js";
import { Pump } from "./pump.js";
import { remediesOf } from "./remedies.js";
import { SAVED, Saver } from "./saving.js";
import { RUNS, RUNS_RECORDED, server } from "./server.js";
import { Answers, Aside, Tabs } from "./shape.js";
import { SHORTCUTS, shortcuts } from "./shortcuts.js";
import style from "./style.css";
import { Terms } from "./terms.js";
import { onTheme } from "./theme.js";
import { Toolbar } from "./toolbar.js";
import { Traits } from "./traits.js";
import { Uploader } from "./upload.js";
import { Warnings } from "./warnings.js";

const SILENT =
  "Python does not answer: the notebook's kernel is busy, or was restarted. What is shown belongs to earlier settings. " +
  "After a restart, run the cell of this page again.";

const STILL_OLD = "Your file waits for an answer. Until then everything below is about the data shown before, not about your file.";

// What the bundle of a page offers. about: { name, title, css, saves, keys, simulation }, and mapped: whether the page has a map.
export function pageOf(Page, about) {
  return {
    async render({ model, el, library }) {
      const page = new Page({ model, el, library, maps: about.mapped && (await library("map.js")) }, about);
      return () => page.remove();
    },
  };
}

// A subclass overrides `build`, `around`, `show` and `draw`, and adds to `this.handlers` for messages of its own. `build`
// is called by this constructor: a subclass declares no class fields, which would come after it.
export class LabPage {
  constructor({ model, el, library, maps }, { name, css = "", saves, keys = [], simulation = false }) {
    this.model = model;
    this.library = library;
    this.maps = maps;
    /** @type {any[]} */
    this.views = [];
    this.paintings = 0;
    /** @type {any} */
    this.terms = null; // once there is a glossary
    this.viewId = Math.random().toString(36).slice(2);
    this.kept = new Kept(name, this, name === "place");
    this.isSilent = false; // whether Python, in a notebook, does not answer
    const silent = () => this.silenced();
    this.send = (message, buffers) => sent(() => model.send({ ...message, view: this.viewId }, undefined, buffers), silent);
    this.pump = new Pump(this.send, (on) => this.notices.waits.computing(on), silent);
    this.traits = new Traits(model, this.viewId, (act) => sent(act, silent));
    this.root = h("div", { class: `lmdk-explorer lmdk-lab lmdk-${name}` });
    el.append(this.root);
    changesOnEnter(this.root);
    addStyle(el, style);
    if (css) addStyle(el, css, name);
    this.handlers = {
      options: (message) => this.setOptions(message),
      numbers: (message) => this.setNumbers(message),
      draw: (message, buffers) => this.setDrawing(message, buffers),
      refused: (message) => this.refused(message),
      preview: (message) => this.showColumns(message),
      rows: (message) => this.chooser?.drawing.show(message.drawn),
      file: (message, buffers) => this.saver.file(message, buffers),
      copy: (message) => this.saver.copied(message),
      reports: () => this.saver.which(),
      pictures: (message) => this.saver.pictures(message),
      offer: (message) => this.saver.offered(message, this.library),
      recording: (message) => this.saver.recording(message),
      received: () => this.uploader.received(),
      read: (message) => this.uploader.read(message),
      restored: (message) => this.kept.restored(message),
      reopened: () => this.reopened(),
      say: (message) => this.notices.note(message.text),
    };
    this.forgetHanded = null; // ends what waits for files of other pages
    this.frame(saves, keys, simulation);
    this.build();
    this.wire();
    this.send({ type: "ready" });
  }

  frame(saves, keys, simulation) {
    const request = (op) => () => this.pump.request({ op });
    const act = {
      undo: request("undo"),
      redo: request("redo"),
      reset: request("reset"),
      link: () => this.copyLink(),
      present,
      save: (what, title) => this.saver.save(what, title),
      open: async (file) => this.pump.request({ op: "open", text: await file.slice(0, 1 << 23).text() }),
    };
    this.toolbar = new Toolbar(act, saves, [...keys, ...SHORTCUTS]);
    this.warnings = new Warnings(simulation);
    this.title = h("h1", {});
    this.words = this.part("words", "What the settings mean");
    this.controls = this.part("controls", "Settings");
    this.head = h("div", { class: "lmdk-head" }, h("div", { class: "lmdk-title" }, this.title, this.warnings.element));
    this.main = h("div", { class: "lmdk-main" }, this.head, this.words);
    this.root.append(this.toolbar.element, h("div", { class: "lmdk-body" }, this.controls, this.main));
    this.toolbar.placed();
    this.forgetPresent = onPresent(this.root, (on) => {
      this.toolbar.present.ariaPressed = String(on);
      this.recolour();
    });
    this.notices = new Notices(this.head);
    this.old = h("p", { class: "lmdk-stillold", hidden: true }, STILL_OLD);
    this.notices.fileWaits = (on) => {
      this.old.hidden = !on;
      this.root.classList.toggle("lmdk-fileasks", on);
    };
    this.head.append(this.old);
    this.numbers = h("p", { class: "lmdk-paragraph", "data-lmdk": "numbers", "aria-live": "off" });
    this.assumption = h("p", { class: "lmdk-assumption" });
    this.words.append(this.numbers, this.assumption);
    this.uploader = new Uploader(this.send, this.notices, this.kept);
    const upload = (file) => this.options && !this.options.recorded && this.uploader.start(file);
    takesDrops(this.root, upload, (why) => this.notices.error(why));
    this.saver = new Saver(this.send, this.toolbar, this.notices);
  }

  // The first screen: answers, the picture, what is next to it, and below them tabs, which the page adds. What was in
  // `words` moves where the page puts it.
  shape(picture, beside) {
    this.root.classList.add("lmdk-shaped");
    this.answers = this.keep(new Answers());
    this.tabs = new Tabs("Reasons", {
      ask: (name, on) => this.ask(name, on),
      awaits: (name) => this.pump.awaits(name),
      chosen: (name) => keepTab(this.kept.name, name),
    });
    this.words.remove();
    this.main.append(this.answers.element, h("div", { class: "lmdk-view" }, picture, beside), this.tabs.element);
  }

  // Opens the tab and the fold in which an element lies.
  reveal(element) {
    this.tabs?.reveal(element);
    const fold = element?.closest(".lmdk-aside");
    if (fold) fold.open = true;
  }

  part(name, label) {
    return h("section", { class: `lmdk-${name}`, "aria-label": label });
  }

  wire() {
    this.receive = (message, buffers) => {
      if (message.view && message.view !== this.viewId) return;
      if (this.isSilent) this.heard();
      if (!this.options && message.type !== "options") return; // sent to all views while this one is built: it gets all of it
      this.handlers[message.type]?.(message, buffers);
    };
    this.model.on("msg:custom", this.receive);
    this.forgetTheme = onTheme(() => this.recolour());
    this.unbind = shortcuts(this.root, {
      undo: () => this.toolbar.undo.click(),
      redo: () => this.toolbar.redo.click(),
      again: () => this.again(),
      link: () => this.copyLink(),
      fit: () => this.fit(),
    });
  }

  build() {} // the views
  around() {
    return {}; // elements that follow a control, by its name
  }
  show(_message) {} // the text, and what else comes with it; { choices, refused: true } after a refusal
  async draw(_message, _arrays) {}

  // What the user looks at while moving a control, above it on a narrow page; and the views that follow.
  columns() {
    const [first, views] = ["first", "views"].map((name) => h("div", { class: `lmdk-lab${name}` }));
    this.main.append(first, views);
    return { first, views };
  }

  // Keeps a view that is drawn again when the colours change (recolour) and is removed with the page.
  keep(view) {
    this.views.push(view);
    if (this.removed) view.remove();
    return view;
  }

  // Adds the map of the page, an instance of a class in the library of maps.
  addMap(name, place, act) {
    const make = () => new this.maps[name](place, act);
    this.map = this.keep(this.maps.shielded(make, (text) => this.notices.fault(text)));
    this.map.offerStreets({ library: this.library, model: this.model });
    this.map.offerPicture(
      () => this.mapTitle(place),
      (picture, format) => this.savePicture(picture, format),
    );
  }

  // What a picture of the map is called.
  mapTitle(place) {
    return place.ariaLabel;
  }

  recolour() {
    for (const view of this.views) view.recolour?.();
  }

  fit() {
    this.map?.fitNext();
  }

  // A chart as a picture, which says what it is.
  savePicture(picture, format) {
    return this.saver.picture(picture, this.pictured, format);
  }

  again() {
    if ("seed" in (this.choices ?? {})) this.ask("seed", (this.choices.seed + 1) % 2 ** 31);
  }

  // A change of one choice; commit is false while a slider is moving.
  ask(name, value, commit = true) {
    this.pump.request({ op: "set", name, value }, commit);
  }

  setOptions(options) {
    this.options = options;
    setText(this.title, options.title);
    this.terms ??= new Terms(this.root, options.glossary);
    this.uploader.most = options.most_bytes;
    this.toolbar.suit(this.root, options);
    this.fields = new Fields(
      options.fields,
      (...change) => this.ask(...change),
      (name) => this.pump.awaits(name),
    );
    setText(this.toolbar.foot, `lmdk_widgets ${options.version}. ${options.recorded ? RUNS_RECORDED : RUNS}`);
    if (this.tabs) this.tabs.fixed = Boolean(options.recorded);
    const around = this.around();
    const sides = this.sides();
    const groups = sides ? this.folded(sides, around) : this.fields.groups(this.shownGroups(), around);
    const why = options.recorded ? [h("p", { class: "lmdk-meaning" }, options.recorded.sentence)] : [];
    this.controls.replaceChildren(...why, ...groups);
  }

  // A file that another page hands over, once this page has begun, and the settings that belong to it.
  async takeHanded({ file, settings, read }) {
    await this.kept.began;
    if (await this.uploader.start(file, {}, read)) for (const [name, value] of Object.entries(settings)) this.ask(name, value);
  }

  // A notebook's kernel is busy, or was restarted. What is shown belongs to earlier settings than the controls do.
  silenced() {
    if (this.isSilent || server() !== null) return;
    this.isSilent = true;
    this.root.classList.add("lmdk-stale");
    this.notices.away(SILENT);
  }

  heard() {
    this.isSilent = false;
    this.root.classList.remove("lmdk-stale");
    this.notices.back();
  }

  // The session has ended and there is a new one: it is told everything that was chosen before it is asked for anything.
  reopened() {
    this.saver.over();
    this.pump.hold();
    this.kept = this.kept.handedOn();
    this.uploader.kept = this.kept;
  }

  // What is next to the picture: { main: names of the choices that come first on a narrow page, front: names and elements, folds: [{ title, names, say(choices) } or an element] }.
  // say: the present value, in the headline. Without `sides` the groups of the declarations stand open, one below the other.
  /** @returns {any} */
  sides() {
    return null;
  }

  folded({ main, front, folds }, around) {
    const drawn = (one) => (typeof one === "string" ? this.fields.field(one, ...(around[one] ?? [])) : one);
    const named = new Set([...front, ...folds.flatMap(({ names }) => names ?? [])]);
    const others = this.shownGroups().flatMap(({ names }) => names.filter((name) => !named.has(name)));
    this.asides = folds
      .filter(({ names }) => names)
      .map(({ title, names, say }, k, all) => {
        const within = k === all.length - 1 ? [...names, ...others] : names; // none is forgotten
        return { fold: folds.find((fold) => fold.title === title), names: within, say, aside: new Aside(title, ...within.map(drawn)) };
      });
    const choices = front.map(drawn);
    for (const name of main) this.fields.rows[name].row.classList.add("lmdk-mainchoice");
    const elementOf = (fold) => this.asides.find((one) => one.fold === fold)?.aside.element ?? fold;
    return [h("fieldset", { class: "lmdk-front" }, h("p", { class: "lmdk-askhere" }), ...choices), ...folds.map(elementOf)];
  }

  // The present value of a choice as named in its list.
  titleOf(name) {
    return this.fields.declared[name].choices?.find((one) => one.name === this.choices[name])?.title ?? String(this.choices[name]);
  }

  // A part of the page by the name of its choice, or by its class.
  partOf(name) {
    const { row: element, control } = this.fields.rows[name] ?? { row: this.root.querySelector(`.lmdk-${name}`) };
    this.reveal(element);
    return { element, control };
  }

  shownGroups() {
    return this.options.groups;
  }

  // The text first: it is what the eye follows while dragging.
  setNumbers(message) {
    if (!this.terms) return; // sent to all before this page has asked: its answer brings the same
    this.terms.setText(this.numbers, message.words.paragraph);
    this.terms.later();
    if ("assumption" in message.words) setText(this.assumption, message.words.assumption);
    this.warnings.show(message.words.warnings);
    this.toolbar.show(message);
    this.link = message;
    this.pictured = message.pictured;
    tellSettings(this.root, message);
    this.showWork(message);
    this.kept.told(message);
    this.choices = message.choices;
    this.traits.follow(message.choices);
    this.visible = message.visible;
    this.forgetHanded ??= takesHanded(this.kept.name, (handed) => this.takeHanded(handed));
    if (message.id && message.asked === this.viewId) {
      this.pump.answered(message.id);
      this.notices.passed();
    }
    this.showControls();
    this.showAsides();
    this.tabs?.follow(message.choices);
    this.show(message);
  }

  showWork(message) {
    this.notices.waits.work(message, this.send);
  }

  showControls() {
    this.fields.show(this.choices, this.visible);
  }

  showAsides() {
    const seen = new Set(this.visible);
    for (const { aside, names, say } of this.asides ?? []) {
      aside.element.hidden = !names.some((name) => seen.has(name));
      aside.say(say(this.choices));
    }
  }

  unpacked(message, buffers) {
    return unpack(message.arrays, buffers);
  }

  async setDrawing(message, buffers) {
    try {
      await this.draw(message, this.unpacked(message, buffers));
      this.terms?.later(); // none yet: work beside the page may tell before the page has asked
      this.root.dataset.lmdkPainted = String(++this.paintings);
      this.root.dataset.lmdkReady = "1";
    } finally {
      // also when a view failed: the next request may still be drawn
      if (message.asked === this.viewId) this.pump.done(message.id);
    }
  }

  refused(message) {
    if (message.id === SAVED) this.saver.over();
    else if (message.id) this.pump.done(message.id);
    if (this.choices) {
      this.showControls();
      this.tabs?.follow(this.choices);
      this.show({ choices: this.choices, refused: true });
    }
    const { text, rows, row_name: rowName, more, asks } = message;
    this.notices.error(text, { rows, rowName, more, asks, ...this.remedies(message) });
    if (message.form) this.showQuestions(message.form);
    else if (message.table && message.kind === "columns") this.chooseColumns();
  }

  // The choices that can resolve a refusal.
  /** @returns {{ choices?: { text: string, act: () => void }[], pick?: object, stays?: boolean, asks?: boolean }} */
  remedies(message) {
    return remediesOf(
      message,
      (options) => this.readAgain(options),
      () => this.chooseColumns(),
    );
  }

  readAgain(options) {
    return this.uploader.readAgain(options);
  }

  chooseColumns() {
    this.send({ type: "preview" });
  }

  async showColumns(preview) {
    const { ColumnChooser } = await this.library("columns.js"); // a bundle of its own: most visits need none
    const ask = (columns) => this.send({ type: "preview", ...columns });
    this.notices.choose((close) => {
      this.chooser = new ColumnChooser(preview, (chosen) => (close(), this.readAgain(chosen)), close, ask);
      return this.chooser;
    });
    this.terms?.later();
  }

  async showQuestions(form) {
    const { QuestionForm } = await this.library("columns.js");
    this.notices.choose((close) => new QuestionForm(form, (chosen) => (close(), this.readAgain(chosen)), close));
    this.terms?.later();
  }

  async copyLink() {
    if (!hasAddress(this.root)) this.send({ type: "python" });
    else if (this.link) this.notices.say(await copyLink(this.link));
  }

  remove() {
    this.model.off("msg:custom", this.receive);
    this.pump.stop();
    this.traits.remove();
    this.forgetTheme();
    this.forgetPresent();
    this.forgetHanded?.();
    this.unbind();
    this.toolbar.remove();
    this.notices.waits.remove();
    this.terms?.remove();
    this.warnings.remove();
    this.removed = true;
    for (const view of this.views) view.remove();
  }
}
