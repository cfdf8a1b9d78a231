// The landmark explorer: builds the page, passes what the user asks to the kernel, and hands the outcome to the views.
import leafletStyle from "leaflet/dist/leaflet.css";
import { hasAddress, tellSettings } from "./address.js";
import { Comparison } from "./comparison.js";
import { Controls } from "./controls.js";
import { addStyle, copyLink, copyPython, download, h, numbersIn, setText, unpack } from "./dom.js";
import { amount, clock, day, metres } from "./format.js";
import { TimestampList } from "./list.js";
import { shielded } from "./map_frame.js";
import { MapView } from "./map_view.js";
import { Notices } from "./notice.js";
import { Pump } from "./pump.js";
import { shortcuts, SHORTCUTS } from "./shortcuts.js";
import { Store } from "./store.js";
import style from "./style.css";
import { onTheme } from "./theme.js";
import { Timeline } from "./timeline.js";
import { Toolbar } from "./toolbar.js";
import { Uploader } from "./upload.js";

export default {
  async render({ model, el, library }) {
    const page = new Page(model, el);
    const plotly = library("plotly.js");
    page.start();
    page.attachTimeline((await plotly).default);
    return () => page.remove();
  },
};

class Page {
  constructor(model, el) {
    this.model = model;
    this.store = new Store();
    this.paintings = 0;
    this.viewId = Math.random().toString(36).slice(2);
    this.send = (message, buffers) => model.send({ ...message, view: this.viewId }, undefined, buffers);
    this.pump = new Pump(this.send);
    this.root = h("div", { class: "lmdk-explorer" });
    el.append(this.root);
    addStyle(el, leafletStyle, "leaflet");
    addStyle(el, style);
    this.build();
    this.wire();
  }

  build() {
    const act = {
      toggle: (index) => this.pump.request({ op: "toggle", index }),
      mark: (indices, on) => this.pump.request({ op: "mark", indices, on }),
      hover: (index) => this.store.hover(index),
    };
    this.act = act;
    const part = (name, label, tag = "section") => h(tag, { class: `lmdk-${name}`, "aria-label": label });
    const header = h("header", { class: "lmdk-header" });
    const words = part("words", "What the settings mean");
    const controls = part("controls", "Settings");
    const map = part("mappart", "Map of the track");
    const list = part("listpart", "List of timestamps");
    const timeline = part("timelinepart", "Timeline of budgets, losses and errors");
    const notes = part("notes", "Assumptions");
    const main = h("div", { class: "lmdk-main" }, words, map, timeline, list, notes);
    this.root.append(header, h("div", { class: "lmdk-body" }, controls, main));

    this.notices = new Notices(words);
    this.numbers = h("p", { class: "lmdk-paragraph", "data-lmdk": "numbers", "aria-live": "off" });
    this.warnings = h("ul", { class: "lmdk-warnings" });
    this.assumption = h("p", { class: "lmdk-assumption" });
    words.append(this.numbers, this.warnings);

    this.map = shielded(() => new MapView(map, act), (text) => this.notices.fault(text));
    this.readout = h("p", { class: "lmdk-readout" });
    this.legend = h("p", { class: "lmdk-legend" }, ...legend());
    map.append(this.legend, this.readout);
    this.list = new TimestampList(list, this.store, act);
    this.timelinePart = timeline;
    this.summary = h("p", { class: "lmdk-summary" });
    notes.append(h("h2", {}, "What this rests on"), this.assumption, h("h2", {}, "The timeline in words"), this.summary);
    this.comparison = new Comparison(notes, () => this.send({ type: "compare" }));
    this.controlsPart = controls;
    this.toolbar = new Toolbar(header, {
      undo: () => this.pump.request({ op: "undo" }),
      redo: () => this.pump.request({ op: "redo" }),
      reset: () => this.pump.request({ op: "reset" }),
      link: () => this.copyLink(),
      save: (what) => this.send({ type: "save", what }),
      open: (file) => this.openScenario(file),
      python: () => this.send({ type: "save", what: "python" }),
      linkText: hasAddress(this.root) ? "Copy link" : "Copy widget as Python",
      shortcuts: SHORTCUTS,
    });
    this.uploader = new Uploader(this.send, this.notices);
  }

  wire() {
    this.receive = (message, buffers) => this.handle(message, buffers);
    this.model.on("msg:custom", this.receive);
    this.store.on("hover", () => {
      this.map.setHovered(this.store.hovered);
      this.timeline?.setHovered(this.store.hovered);
      this.showReadout();
    });
    this.forgetTheme = onTheme(() => {
      this.map.colours();
      this.map.redraw();
      this.timeline?.react();
      this.controls?.chain.draw();
    });
    this.unbind = shortcuts(this.root, {
      undo: () => this.toolbar.press("undo"),
      redo: () => this.toolbar.press("redo"),
      again: () => this.controls && this.pump.request({ op: "set", name: "seed", value: (this.store.scenario.seed + 1) % 2 ** 31 }),
      link: () => this.copyLink(),
      fit: () => this.map.fit(),
    });
  }

  start() {
    this.send({ type: "ready" });
  }

  attachTimeline(Plotly) {
    this.timeline = new Timeline(this.timelinePart, Plotly, this.act);
    if (this.store.track) this.timeline.setTrack(this.store.track);
    if (this.drawing) this.paint(this.drawing);
  }

  handle(message, buffers) {
    if (message.view && message.view !== this.viewId) return;
    const handlers = {
      options: () => this.setOptions(message),
      track: () => this.setTrack(message, buffers),
      numbers: () => this.setNumbers(message),
      draw: () => this.setArrays(message, buffers),
      refused: () => this.refused(message),
      proposed: () => this.setProposed(message),
      chain: () => this.setChain(message, buffers),
      compared: () => this.comparison.show(message),
      file: () => this.saveFile(message, buffers),
      copy: () => copyPython(message, this.notices),
      received: () => this.uploader.received(),
      read: () => this.uploader.over(),
      say: () => this.notices.note(message.text),
    };
    handlers[message.type]?.();
  }

  setOptions(options) {
    this.options = options;
    this.controlsPart.replaceChildren();
    const ask = (name, value, commit) => this.pump.request({ op: "set", name, value }, commit);
    const awaits = (name) => this.pump.awaits(name);
    this.controls = new Controls(this.controlsPart, options, ask, awaits, {
      upload: (file) => this.uploader.start(file),
      propose: (distance_m, minutes) => this.send({ type: "propose", distance_m, minutes }),
      acceptProposed: (whole) => {
        this.pump.request({ op: "mark", indices: whole ? this.wholeStays : this.store.proposed, on: true });
        this.setProposed({ timestamps: [], whole: [], text: "Marked." });
      },
      matrix: (text, normalize) => this.askMatrix(text, normalize),
      clearLandmarks: () => this.pump.request({ op: "set", name: "landmarks", value: [] }),
    });
    this.controlsPart.append(h("p", { class: "lmdk-foot" }, `lmdk_widgets ${options.version}. Runs on this computer; nothing is sent elsewhere.`));
  }

  setTrack(message, buffers) {
    const [latitudes, longitudes, time] = message.arrays.map((_, k) => numbersIn(buffers[k], Float64Array));
    const track = { ...message, latitudes, longitudes, time };
    this.store.setTrack(track);
    this.notices.clear(); // what was said was about another track
    this.map.setTrack({ latitudes, longitudes, names: namesOf(track), places: track.places });
    this.timeline?.setTrack(track);
    this.list.box.scrollTop = 0;
    this.controls?.showProposed(0, 0, "");
    if (track.notices.length) this.notices.say(track.notices.join(" "));
  }

  // The text first: it is what the eye follows while dragging.
  setNumbers(message) {
    const answer = message.id && message.asked === this.viewId;
    if (answer) this.pump.answered(message.id);
    this.store.setScenario(message.scenario);
    setText(this.numbers, message.words.paragraph);
    setText(this.assumption, message.words.assumption);
    this.showWarnings(message.words.warnings);
    setText(this.summary, message.summary);
    this.timeline?.label(message.summary);
    this.controls?.show(message.scenario);
    this.toolbar.show(message);
    this.link = message;
    tellSettings(this.root, message);
    if (answer) this.notices.passed();
  }

  showWarnings(warnings) {
    const text = warnings.join("\n");
    if (text === this.warningText) return;
    this.warningText = text;
    this.warnings.replaceChildren(...warnings.map((w) => h("li", {}, w)));
  }

  setArrays(message, buffers) {
    const arrays = unpack(message.arrays, buffers);
    this.store.arrays = arrays;
    this.paint({ id: message.id, asked: message.asked, figure: message.figure, arrays });
  }

  async paint(drawing) {
    this.drawing = drawing;
    const { arrays, figure, id, asked } = drawing;
    try {
      await this.paintAll(arrays, figure);
    } finally {
      // also when a view failed: what is asked next may be drawn
      if (asked === this.viewId && this.timeline) this.pump.done(id);
    }
    this.comparison.painted();
  }

  async paintAll(arrays, figure) {
    this.map.setRelease(arrays.latitude, arrays.longitude, arrays.radius95_m);
    this.map.setLandmarks(this.store.landmarks, this.store.proposed);
    this.map.draw();
    this.list.draw();
    this.showReadout();
    if (!this.timeline) return;
    arrays.colours = landmarkColours(this.store, this.root);
    await this.timeline.draw(figure, arrays);
    this.root.dataset.lmdkPainted = String(++this.paintings);
    this.root.dataset.lmdkReady = "1";
  }

  refused(message) {
    if (message.id) this.pump.done(message.id);
    if (this.store.scenario) this.controls?.show(this.store.scenario);
    const again = (options) => {
      this.uploader.reading();
      this.send({ type: "reload", ...options });
    };
    const choices = [];
    let pick = null;
    if (message.kind === "rows") choices.push({ text: "Drop these rows and load", act: () => again({ on_problem: "drop" }) });
    if (message.kind === "row-sums") {
      choices.push({ text: "Divide every row by its sum", act: () => this.askMatrix(this.lastMatrix, true) });
    }
    if (message.kind === "day-order") {
      choices.push({ text: "The day comes first (d/m/yyyy)", act: () => again({ day_first: true }) });
      choices.push({ text: "The month comes first (m/d/yyyy)", act: () => again({ day_first: false }) });
    }
    if (message.kind === "timezone") {
      const preset = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
      const values = ["UTC", ...(Intl.supportedValuesOf?.("timeZone") ?? [])];
      pick = { label: "Time zone", values, preset: "", act: (timezone) => again({ timezone }) };
      choices.push({ text: `Use ${preset}`, act: () => again({ timezone: preset }) });
    }
    const stays = ["rows", "day-order", "timezone"].includes(message.kind);
    this.notices.error(message.text, { rows: message.rows, rowName: message.row_name, more: message.more, choices, pick, stays });
  }

  setProposed({ timestamps, whole, text }) {
    this.store.proposed = timestamps;
    this.wholeStays = whole;
    this.map.setLandmarks(this.store.landmarks, timestamps);
    this.map.draw();
    this.controls.showProposed(timestamps.length, whole.length, text);
  }

  askMatrix(text, normalize) {
    this.lastMatrix = text;
    this.pump.request({ op: "matrix", text, normalize });
  }

  setChain(message, buffers) {
    const [matrix, longRun] = (buffers ?? []).map((b) => numbersIn(b, Float32Array));
    this.controls.chain.setChain(message, matrix, longRun);
  }

  showReadout() {
    const { store } = this;
    const i = store.hovered;
    if (i < 0 || !store.arrays.budgets || !store.track) {
      setText(this.readout, "Point at a timestamp for its numbers; click it to mark a landmark.");
      return;
    }
    const { budgets, totals, backward, forward, total, error_m, radius95_m, published } = store.arrays;
    const radius = radius95_m[i] > 0 ? `, 95 % within ${metres(radius95_m[i])}` : "";
    const measured = published[i] ? "measured" : Number.isNaN(error_m[i]) ? "no release" : "repeats an earlier release";
    setText(
      this.readout,
      `${store.name(i)}, ${day(store.track.time[i])} ${clock(store.track.time[i])} UTC, ` +
        `${store.landmarks.has(i) ? "landmark" : "regular"}, ${measured}: ε ${amount(budgets[i])}, ` +
        `with the landmarks ${amount(totals[i])}; loss ${amount(total[i])} (backward ${amount(backward[i])}, ` +
        `forward ${amount(forward[i])}); error ${metres(error_m[i])}${radius}.`,
    );
  }

  async copyLink() {
    if (!hasAddress(this.root)) this.send({ type: "python" });
    else if (this.link) this.notices.say(await copyLink(this.link));
  }

  async openScenario(file) {
    this.send({ type: "open", text: (await file.slice(0, 1 << 23).text()) });
  }

  saveFile({ name, mime }, buffers) {
    download(name, mime, buffers[0]);
    this.notices.say(`Saved ${name}.${name.endsWith(".json") ? "" : " Its noise was drawn for it: the points differ from those here."}`);
  }

  remove() {
    this.model.off("msg:custom", this.receive);
    this.forgetTheme();
    this.unbind();
    this.map.remove();
    this.list.remove();
    this.timeline?.remove();
  }
}

function namesOf(track) {
  if (track.n > 30) return [];
  return Array.from({ length: track.n }, (_, i) => track.labels[i] || `${i + 1}`);
}

function landmarkColours(store, root) {
  if (store.track.n > 400) return [];
  const style = getComputedStyle(root);
  const [regular, landmark] = ["regular", "landmark"].map((n) => style.getPropertyValue(`--lmdk-${n}`).trim());
  return Array.from({ length: store.track.n }, (_, i) => (store.landmarks.has(i) ? landmark : regular));
}

function legend() {
  const item = (mark, colour, text) => h("span", {}, h("span", { class: `lmdk-key lmdk-key-${colour}`, "aria-hidden": "true" }, mark), ` ${text}  `);
  return [
    item("◆", "landmark", "landmark"),
    item("●", "regular", "regular"),
    item("✕", "release", "release, with a line to the true place"),
    item("◌", "circle", "95 % of releases of the hovered timestamp"),
  ];
}
