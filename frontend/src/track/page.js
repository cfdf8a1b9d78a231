// The page of landmark privacy: a map to mark the moments that matter, a timeline of budgets, losses and errors, and words.
import { bullets, button, details, h, setText, TOUCH } from "../page/dom.js";
import { dataUpload } from "../page/fields.js";
import { amount, bound, clock, day } from "../page/format.js";
import { LabPage, pageOf } from "../page/lab.js";
import { fileGoes } from "../page/server.js";
import { SpanBar } from "../page/span_bar.js";
import { Tour } from "../page/tour.js";
import { Adversary } from "./adversary.js";
import { barColours } from "./bar_colours.js";
import { ByHand } from "./by_hand.js";
import { Cards } from "./cards.js";
import { PanelFold } from "./fold.js";
import { LeaveOut } from "./leave_out.js";
import { TimestampList } from "./list.js";
import { Loaded } from "./loaded.js";
import { MatrixView } from "./matrix.js";
import { Region } from "./region.js";
import { Stage } from "./stage.js";
import { Store, valueIn } from "./store.js";
import { Timeline } from "./timeline.js";
import css from "./track.css";
import { Verdict } from "./verdict.js";

const SAVES = {
  note:
    "Simulation, not a private release: every file says so. Files draw their own noise, so their points differ from those on " +
    "the screen: anyone who has the seed can remove the screen's noise.",
  items: [
    ["Release as CSV", "csv"],
    ["Simulation as CSV: budgets, losses, errors; for you", "table"],
    ["Release as GeoJSON", "geojson"],
    ["Map as a web page", "html"],
    ["Scenario as JSON", "scenario"],
    ["Copy as Python", "python"],
    ["Copy the command for a release", "command"],
  ],
  open: "Open a scenario",
};
const TWICE = 300; // ms in which two clicks are one double click
const KEYS = [
  ["← →", "previous, next timestamp (on the map); ↑ ↓ in the list"],
  ["Space", "mark or unmark the timestamp as a landmark"],
  ["Shift + drag", "mark every timestamp in a box on the map"],
  ["drag on a chart", "show a part of the time everywhere; a double click or Escape shows all, + − zoom"],
];

class TrackPage extends LabPage {
  build() {
    this.store = new Store();
    this.byHand = new ByHand(this.store, (operation, commit) => this.pump.request(operation, commit));
    this.act = {
      toggle: (index) => this.pump.request({ op: "toggle", index }),
      press: (index) => this.press(index),
      look: (span) => this.look(span),
      picture: (picture, format) => this.savePicture(picture, format),
      mark: (indices, on) => this.pump.request({ op: "mark", indices, on }),
      hover: (index, tapped) => this.hover(index, tapped),
      pick: (cell) => this.adversary.pick(cell),
      place: (at) => this.placeSecret(at),
      go: (setting) => this.pump.request({ op: "go", ...setting }),
      save: (what, text) => this.saver.save(what, text),
    };
    const map = this.part("mappart", "Map of the track");
    const timeline = this.part("timelinepart", "Timeline of budgets, losses and errors");
    const [list, notes, adversary] = ["listpart", "notes", "adversarypart"].map((name) => h("div", { class: `lmdk-${name}` }));
    this.shape(map, timeline);
    this.verdict = this.keep(new Verdict({ take: (k) => this.pump.request({ op: "take", k }) }));
    this.answers.element.before(this.verdict.element);
    // on a phone the answers stay in view beside the fold of practices, about which they say nothing
    this.answers.element.prepend(h("p", { class: "lmdk-ofrelease" }, "Of the noisy release, not of what is done today:"));
    this.addMap("TrackMap", map, this.act);
    this.readout = h("p", { class: "lmdk-readout" });
    const under = h("div", { class: "lmdk-under" });
    this.stage = this.keep(new Stage(map, under, () => this.map, this.act, this.root));
    map.append(under, h("span", { class: "lmdk-askhere" }));
    under.append(this.readout);
    this.about = h("div", {});
    this.meant = h("div", {}); // what the scheme does, in a sentence
    this.list = this.keep(new TimestampList(list, this.store, this.act));
    this.summary = h("p", { class: "lmdk-summary" });
    notes.append(h("h2", {}, "The timeline in words"), this.summary);
    this.everyScheme = h("div", {});
    this.cards = this.keep(
      new Cards(this.store, () => this.maps, {
        use: (operation) => this.pump.request(operation),
        save: () => this.saver.save("cards", "Cards as CSV"),
      }),
    );
    const keep = (view) => this.keep(view);
    this.adversary = this.keep(
      new Adversary(adversary, map, {
        store: this.store,
        map: () => this.stage.view,
        cellsOf: this.maps.cellsOf,
        act: { ...this.act, keep, ask: (...change) => this.ask(...change), upload: (file) => this.uploader.start(file, { purpose: "checkins" }) },
      }),
    );
    this.foldsPlace = h("div", {});
    this.wordsPlace = h("div", {});
    this.inversePlace = h("div", {});
    this.leaving = new LeaveOut({ ask: (open) => this.ask("leave_out.open", open, false), use: () => this.pump.request({ op: "leave_out" }) });
    this.addTabs({ notes, adversary, list });
    /** @type {PanelFold[]} */
    this.folds = [];
    const writes = { yaxis: amount, yaxis2: bound, yaxis3: (value) => this.store.write(value), yaxis4: amount };
    this.timeline = this.keep(new Timeline(timeline, this.act, { label: "Budgets, losses and errors over time", writes, save: this.act.picture }));
    this.spanBar = new SpanBar(() => this.look(null));
    timeline.append(this.spanBar.element);
    this.askSpan = button("Ask the secret about this part", () => this.askPart());
    this.spanBar.element.append(" ", this.askSpan);
    this.byHand.handle(this.timeline, this.act);
    this.handlers.track = (message, buffers) => this.setTrack(message, buffers);
    this.handlers.clock = (message, buffers) => this.setClock(message, buffers);
    this.handlers.found = ({ circles }) => this.setFound(circles);
    this.handlers.secret = ({ marks }) => this.setSecret(marks);
    this.handlers.practice = (message, buffers) => this.setPractice({ ...message, ...this.unpacked(message, buffers) });
    this.handlers.proposed = (message, buffers) => this.cards.setProposed(message, this.unpacked(message, buffers));
    this.handlers.cells = (message, buffers) => this.adversary.beliefs.setCells(message, this.unpacked(message, buffers));
    this.handlers.beliefs = (message, buffers) => this.adversary.beliefs.setBeliefs(message, this.unpacked(message, buffers));
    this.handlers.panels = (message, buffers) => this.adversary.drawPanels(message.figure, this.unpacked(message, buffers));
    this.handlers.assumption = (message) => setText(this.assumption, message.text);
    this.handlers.chain = (message, buffers) => this.matrix.draw(message, this.unpacked(message, buffers));
  }

  addTabs({ notes, adversary, list }) {
    const { tabs } = this;
    tabs.add("words", "In words", [this.answers.lines, this.meant, this.leaving.element, this.wordsPlace, this.words, notes]);
    tabs.add("attacker", "", [adversary], { open: "attacker.open" });
    tabs.add("compare", "Compare", [this.cards.element, this.foldsPlace, this.everyScheme], {
      open: "cards.open",
      holds: (choices) => this.hasComparison(choices),
    });
    tabs.add("inverse", "Which epsilon?", [this.inversePlace], { open: "inverse.open" });
    tabs.add("timestamps", "Timestamps", [this.about, list]);
    tabs.add("assumptions", "Assumptions", [this.assumption]);
  }

  around() {
    this.matrix = new MatrixView((text, normalize) => this.askMatrix(text, normalize), this.act.picture);
    this.keep(this.matrix.heat);
    const upload = dataUpload("Upload a track or a series", this.options.suffixes, (file) => this.uploader.start(file), "Upload");
    this.loaded = new Loaded((days) => this.readAgain({ days }));
    this.region = new Region({
      use: (limits, zone) => this.useRegion(limits, zone),
      back: () => this.ask("region", []),
      zones: () => Boolean(this.uploader.held),
    });
    return {
      track: [...upload, ...this.loaded.parts],
      scheme: [this.byHand.element],
      correlation: this.matrix.parts,
      seed: [button("Draw again", () => this.again())],
    };
  }

  sides() {
    this.marked = h("p", { class: "lmdk-marked" });
    this.marking = h("div", { class: "lmdk-belowfield" });
    const landmarks = h("div", { class: "lmdk-field" }, h("p", { class: "lmdk-fieldname" }, "Landmarks"), this.marked, this.marking);
    const hiding = Object.keys(this.options.fields).filter((name) => name === "hide" || name.startsWith("hide_"));
    const noise = () => this.titleOf(this.visible.includes("mechanism") ? "mechanism" : "bounds");
    return {
      main: ["epsilon", "target"],
      front: ["track", "epsilon", "target", "scheme", "window", landmarks],
      folds: [
        { title: "Noise", names: ["radius_m", "mechanism", "cells", "place_m", "bounds", "lower", "upper", "increase", "decrease"], say: noise },
        { title: "Dummies", names: hiding, say: ({ hide }) => (hide ? this.titleOf("hide_method") : "") },
        { title: "Attacker", names: ["correlation", "smoothing", "states", "cell_m", "level_width", "adversary", "landmark_loss"], say: () => this.assumed() },
        this.region.element,
        { title: "Display", names: ["utc", "average", "seed"], say: () => "" },
      ],
    };
  }

  // What the attacker knows about how places follow each other, in a word or two.
  assumed() {
    const title = this.titleOf("correlation");
    if (["weak", "moderate", "strong"].includes(this.choices.correlation)) return title;
    return this.choices.correlation === "none" ? "no correlation" : title;
  }

  setOptions(options) {
    super.setOptions(options);
    const { recorded } = options; // in a file without a kernel
    this.own = h("option", { value: "", disabled: true }, recorded ? "As this file says above" : "A track of your own");
    if (recorded) this.root.querySelector(".lmdk-clicks").hidden = !recorded.open.includes("landmarks");
    this.fields.rows.track.control.append(this.own);
    this.about.replaceChildren(this.fields.rows.track.meaning);
    this.meant.replaceChildren(this.fields.rows.scheme.meaning);
    this.everyScheme.replaceChildren(everyScheme(options.fields.scheme.choices));
    const told = (step) => (step.part === "track" ? { ...step, text: `${step.text} ${fileGoes("Your file")}` } : step);
    if (!recorded) this.tour = this.tour ?? this.keep(new Tour(this.root, this.toolbar.tour, options.tour.map(told), (name) => this.partOf(name)));
    this.tabs.named("attacker").button.textContent = options.fields["attacker.open"].label;
    this.folds = options.folds.map((told) => new PanelFold(this, told));
    const places = {
      compare: this.foldsPlace,
      attacker: this.adversary.foldsPlace,
      landmarks: this.marking,
      inverse: this.inversePlace,
      words: this.wordsPlace,
    };
    for (const [name, place] of Object.entries(places)) place.replaceChildren(...this.folds.filter((fold) => fold.place === name).map((fold) => fold.element));
    this.adversary.controls((...given) => this.fields.field(...given));
    this.verdict.fields(this.fields, recorded);
  }

  // Declares an area public; if a time zone comes with it, the file is first read again in that zone.
  async useRegion(limits, zone) {
    const other = zone && zone !== (this.region.told.zone || "UTC") && !this.region.zoned.hidden;
    if (!other || (await this.readAgain({ timezone: zone }))) this.ask("region", limits);
  }

  setTrack(message, buffers) {
    const arrays = this.unpacked(message, buffers);
    const track = { ...message, time: [], zone: "" };
    this.store.setTrack(track);
    Object.assign(this.store, { values: arrays.values, latitudes: arrays.latitude, longitudes: arrays.longitude });
    this.practice = this.practised = this.secret = null;
    this.notices.clear(); // what was said was about another track
    this.stage.setTrack(this.store, arrays);
    for (const [name, able] of Object.entries(message.offered)) this.fields.only(name, (each) => able.includes(each));
    this.timeline?.setTrack(track);
    this.adversary.forget();
    this.countMarks();
    this.list.box.scrollTop = 0;
    this.spanBar.show(null, track);
    if (track.notices.length) this.notices.say(track.notices.join(" "));
  }

  // The times as they are shown, in the zone that is named; what shows them is drawn after this.
  setClock(message, buffers) {
    const { zone, about, days } = message;
    Object.assign(this.store.track, { zone, time: this.unpacked(message, buffers).time });
    this.list.setZone(zone);
    this.loaded.show(about, days);
  }

  // The radius that a limit follows is known before the limit is shown.
  setNumbers(message) {
    this.verdict.preset(message.verdict);
    super.setNumbers(message);
  }

  show({
    choices,
    verdict,
    units,
    region,
    useful,
    answers,
    exposed,
    refused,
    folds,
    summary,
    proposed,
    leave_out: leaving,
    cards,
    inferred,
    dummies,
    by_hand: byHand,
  }) {
    this.matrix.show(choices.correlation === "matrix");
    this.store.loss = choices.correlation === "none" ? "loss" : "what-if loss";
    this.own.disabled = choices.track !== "";
    for (const fold of this.folds) fold.show(choices, folds);
    if (refused) return;
    this.region.show(region, this.options.recorded);
    this.stage.setRegion(region);
    this.fields.units(units);
    this.store.landmarks = new Set(choices.landmarks);
    setText(this.summary, summary);
    this.verdict.show(verdict);
    this.answers.show([useful, ...answers]);
    this.countMarks();
    if (this.tabs.fixed) this.tabs.offer("compare", this.hasComparison(choices));
    this.timeline?.label(summary);
    this.store.proposed = proposed ?? [];
    this.store.dummies = dummies ?? [];
    this.root.classList.toggle("lmdk-hashidden", this.store.dummies.length > 0);
    this.leaving.show(choices["leave_out.open"], leaving);
    this.adversary.show(choices, inferred, exposed);
    this.cards.show(cards ?? null);
    this.root.classList.toggle("lmdk-hassecret", choices["secrets.open"] && !this.stage.onAxis);
    this.root.classList.toggle("lmdk-placing", this.placesSecret());
    this.askSpan.hidden = !choices["secrets.open"] || this.options.recorded;
    this.stage.setSecret(choices["secrets.open"] ? (this.secret ?? []) : []);
    this.drawPractice();
    this.root.classList.toggle("lmdk-practising", choices["practices.open"]);
    this.byHand.show(choices.scheme === "given", byHand);
    this.root.classList.toggle("lmdk-haspinned", choices.pinned !== null);
    const drawn = JSON.stringify(this.store.proposed);
    if (this.proposed !== drawn) this.stage.drawMarks(this.store);
    this.proposed = drawn;
  }

  countMarks() {
    const [marked, all] = [this.store.landmarks.size, this.store.track?.n ?? 0].map((count) => count.toLocaleString("en"));
    const said = marked === "0" ? "None yet: mark the moments that matter." : `${marked} of ${all} timestamps`;
    setText(this.marked, this.store.track ? said : "");
  }

  // Whether a file without a kernel contains something to compare.
  hasComparison(choices) {
    return choices["cards.open"] || this.folds.some((fold) => fold.place === "compare" && fold.isOpen(choices));
  }

  // circles: of the lasting places that are found, nearest found first
  setFound(circles) {
    if (this.store.track) this.stage.setFound(circles);
    this.cards.circle = circles[0] ?? null;
    this.root.classList.toggle("lmdk-hasfound", circles.length > 0);
  }

  // The two places of a secret over time, drawn while its fold is open: [latitude, longitude, name] each.
  setSecret(marks) {
    this.secret = marks;
    if (this.choices["secrets.open"]) this.stage.setSecret(marks);
  }

  // Whether a click on the map chooses a place of the secret.
  placesSecret() {
    return Boolean(this.choices["secrets.open"] && this.choices["secrets.pick"]);
  }

  placeSecret({ lat, lng }) {
    const picks = this.placesSecret();
    if (picks) this.pump.request({ op: "secret_place", latitude: lat, longitude: lng });
    return picks;
  }

  // The secret is about the part of the time that is shown.
  askPart() {
    const [first, last] = this.store.span;
    this.pump.request({ op: "secret_part", first, last });
  }

  // What is done today, drawn while its fold is open.
  setPractice(practice) {
    this.practice = practice.latitude ? practice : null;
    this.drawPractice();
  }

  drawPractice() {
    const shown = this.choices["practices.open"] ? (this.practice ?? null) : null;
    if (shown === this.practised || !this.store.track) return;
    this.practised = shown;
    this.stage.setPractice(shown);
    this.root.classList.toggle("lmdk-haspractice", shown !== null);
  }

  async draw({ figure }, arrays) {
    if (!this.store.track) return; // sent to all before this page has asked: its answer brings the same
    this.store.arrays = arrays;
    this.stage.setRelease(arrays);
    this.stage.drawMarks(this.store);
    this.cards.recolour();
    this.list.draw();
    this.showReadout();
    this.byHand.draw();
    Object.assign(arrays, barColours(this.store, this.root));
    this.timeline.draw(figure, arrays);
    this.timeline.label(this.summary.textContent);
  }

  fit() {
    this.stage.fitNext();
  }

  hover(index, tapped = false) {
    if (index === this.store.hovered && tapped === this.tapped) return;
    this.store.hovered = index;
    this.tapped = tapped;
    this.list.hovered();
    this.stage.setHovered(index);
    this.timeline?.setHovered(index);
    this.adversary.hovered(index);
    this.showReadout();
  }

  // A click on a chart marks at once; while a part of the time is shown, it waits for a second one, which shows all.
  press(index) {
    clearTimeout(this.pressing);
    if (!this.store.span) this.act.toggle(index);
    else this.pressing = setTimeout(() => this.act.toggle(index), TWICE);
  }

  // Shows a part of the time in every view.
  look(span) {
    const { store } = this;
    clearTimeout(this.pressing);
    if (JSON.stringify(span) === JSON.stringify(store.span)) return;
    store.span = span;
    if (span && (store.hovered < span[0] || store.hovered > span[1])) this.hover(-1);
    this.stage.setSpan(span);
    this.timeline?.setSpan(span);
    this.adversary.setSpan(span);
    this.list.box.scrollTop = 0;
    this.list.draw();
    this.spanBar.show(span, { ...store.track, name: (index) => store.name(index) });
  }

  remedies(message) {
    if (message.kind !== "row-sums") return super.remedies(message);
    return { choices: [{ text: "Divide every row by its sum", act: () => this.askMatrix(this.lastMatrix, true) }] };
  }

  askMatrix(text, normalize) {
    this.lastMatrix = text;
    this.pump.request({ op: "matrix", text, normalize });
  }

  showReadout() {
    const { hovered, arrays, landmarks } = this.store;
    const marks = this.options?.recorded?.open.includes("landmarks") ?? true; // not in every file without a kernel
    const seen = hovered >= 0 && Boolean(arrays.budgets);
    this.readout.parentElement.classList.toggle("lmdk-read", seen);
    if (!seen) return setText(this.readout, "");
    const how = this.tapped ? "Tap it again" : TOUCH ? "" : "Click"; // under a mouse the point is hovered first
    const more = how && marks ? ` ${how} to ${landmarks.has(hovered) ? "unmark it" : "mark it"}.` : "";
    setText(this.readout, numbersOf(this.store, hovered, this.stage.isTooWide(hovered)) + more);
  }
}

export default pageOf(TrackPage, { name: "track", css, saves: SAVES, keys: KEYS, simulation: true, mapped: true });

// wide: whether the circle of 95 % does not fit on the map
function numbersOf(store, i, wide) {
  const { budgets, totals, backward, forward, total, error_m, radius95_m, published, rate, threshold_m } = store.arrays;
  const { write, track } = store;
  const time = track.time[i];
  const radius = radius95_m[i] > 0 ? `, 95 % within ${write(radius95_m[i])}${wide ? ", a circle wider than the map" : ""}` : "";
  const compared = threshold_m && (Number.isNaN(threshold_m[i]) ? ", nothing compared" : `, threshold ${write(threshold_m[i])}`);
  const sampled = rate ? `; sampling rate ${amount(rate[i])}${compared ?? ""}` : "";
  const measured = published[i] ? "measured" : Number.isNaN(error_m[i]) ? "no release" : "repeats an earlier release";
  const values = track.series ? ` true ${valueIn(track.series, store.values[i])}, released ${valueIn(track.series, store.arrays.values[i])};` : "";
  return (
    `${store.name(i)}, ${day(time)} ${clock(time)} (${track.zone}), ${store.kind(i)}, ${measured}:${values} ` +
    `ε ${amount(budgets[i])}, with the landmarks ${bound(totals[i])}; ${store.loss} ${bound(total[i])} ` +
    `(backward ${bound(backward[i])}, forward ${bound(forward[i])}); error ${write(error_m[i])}${radius}${sampled}.`
  );
}

function everyScheme(schemes) {
  const lines = schemes.map(({ title, meaning }) => `${title}: ${meaning}`);
  return details("Every scheme in one line", bullets(lines, { class: "lmdk-meaning" }));
}
