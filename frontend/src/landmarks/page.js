// The page of landmark privacy: a map to mark the moments that matter, a timeline of budgets, losses and errors, and words.
import { bullets, button, details, h, setText } from "../page/dom.js";
import { uploadButton } from "../page/fields.js";
import { amount, clock, day, metres } from "../page/format.js";
import { LabPage, pageOf } from "../page/lab.js";
import { coloursOf } from "../page/theme.js";
import { Comparison } from "./comparison.js";
import { TimestampList } from "./list.js";
import { MatrixView } from "./matrix.js";
import { Stays } from "./stays.js";
import { Store } from "./store.js";
import { Strip } from "./strip.js";
import { Timeline } from "./timeline.js";

const SAVES = {
  note:
    "Simulation, not a private release: every file says so. Files draw their own noise, so their points differ from those on " +
    "the screen: whoever has the seed can take the screen's noise off.",
  items: [
    ["Release as CSV", "csv"],
    ["Simulation as CSV: budgets, losses, errors", "table"],
    ["Release as GeoJSON", "geojson"],
    ["Map as a web page", "html"],
    ["Scenario as JSON", "scenario"],
    ["Copy as Python", "python"],
  ],
  open: "Open a scenario",
};
const KEYS = [
  ["← →", "previous, next timestamp (on the map); ↑ ↓ in the list"],
  ["Space", "mark the timestamp as a landmark, or take it back"],
  ["Shift + drag", "mark every timestamp in a box on the map"],
];

class LandmarkPage extends LabPage {
  build() {
    this.store = new Store();
    this.act = {
      toggle: (index) => this.pump.request({ op: "toggle", index }),
      mark: (indices, on) => this.pump.request({ op: "mark", indices, on }),
      hover: (index, tapped) => this.hover(index, tapped),
    };
    const map = this.part("mappart", "Map of the track");
    const timeline = this.part("timelinepart", "Timeline of budgets, losses and errors");
    const list = this.part("listpart", "List of timestamps");
    const notes = this.part("notes", "Assumptions");
    this.main.append(map, timeline, list, notes);
    this.addMap("TrackMap", map, this.act);
    this.readout = h("p", { class: "lmdk-readout" });
    map.append(h("p", { class: "lmdk-legend" }, ...legend()), this.readout);
    this.strip = this.keep(new Strip());
    this.list = this.keep(new TimestampList(list, this.store, this.act));
    this.summary = h("p", { class: "lmdk-summary" });
    notes.append(h("h2", {}, "What this rests on"), this.assumption, h("h2", {}, "The timeline in words"), this.summary);
    this.comparison = new Comparison(notes, (open) => this.ask("compare", open, false));
    this.plotly = this.library("plotly.js").then((plotly) => {
      this.timeline = this.keep(new Timeline(timeline, plotly.default, this.act));
      if (this.store.track) this.timeline.setTrack(this.store.track);
    });
    this.handlers.track = (message, buffers) => this.setTrack(message, buffers);
    this.handlers.clock = (message, buffers) => this.setClock(message, buffers);
    this.handlers.chain = (message, buffers) => this.matrix.draw(message, this.unpacked(message, buffers));
  }

  around() {
    this.stays = new Stays(this.fields, {
      find: () => this.ask("propose", true),
      mark: (indices) => {
        this.act.mark(indices, true);
        this.ask("propose", false);
      },
      clear: () => this.ask("landmarks", []),
    });
    this.matrix = new MatrixView((text, normalize) => this.askMatrix(text, normalize));
    this.keep(this.matrix.heat);
    const upload = uploadButton("Upload a track", this.options.suffixes, (file) => this.uploader.start(file));
    this.about = h("p", { class: "lmdk-meaning lmdk-about", role: "status" });
    return {
      track: [upload, this.about, this.stays.element],
      scheme: [everyScheme(this.options.fields.scheme.choices)],
      correlation: this.matrix.parts,
      seed: [button("Draw again", () => this.again())],
    };
  }

  setOptions(options) {
    super.setOptions(options);
    this.own = h("option", { value: "", disabled: true }, "A track of your own");
    this.fields.rows.track.control.append(this.own);
    this.controls.prepend(this.strip.element);
  }

  setTrack(message, buffers) {
    const { latitude: latitudes, longitude: longitudes } = this.unpacked(message, buffers);
    const track = { ...message, time: [], zone: "" };
    this.store.setTrack(track);
    this.notices.clear(); // what was said was about another track
    this.map.setTrack({ latitudes, longitudes, names: namesOf(track), places: track.places });
    this.timeline?.setTrack(track);
    this.list.box.scrollTop = 0;
    if (track.notices.length) this.notices.say(track.notices.join(" "));
  }

  // The times as they are shown, in the zone that is named; what shows them is drawn after this.
  setClock(message, buffers) {
    const { zone, about } = message;
    Object.assign(this.store.track, { zone, time: this.unpacked(message, buffers).time });
    this.list.setZone(zone);
    setText(this.about, about);
  }

  show({ choices, refused, summary, proposed, compared }) {
    this.matrix.show(choices.correlation === "matrix");
    this.own.disabled = choices.track !== "";
    if (refused) return;
    this.store.landmarks = new Set(choices.landmarks);
    setText(this.summary, summary);
    this.strip.say(this.numbers.textContent);
    this.timeline?.label(summary);
    this.store.proposed = proposed.timestamps;
    this.stays.show(proposed);
    this.comparison.show(choices.compare, compared);
    if (this.proposed !== proposed.text) this.drawMarks();
    this.proposed = proposed.text;
  }

  async draw({ figure }, arrays) {
    this.store.arrays = arrays;
    this.map.setRelease(arrays.latitude, arrays.longitude, arrays.radius95_m);
    this.drawMarks();
    this.list.draw();
    this.showReadout();
    arrays.colours = landmarkColours(this.store, this.root);
    this.strip.draw(figure, arrays, this.store.track.n);
    await this.plotly;
    if (this.store.arrays === arrays) await this.timeline.draw(figure, arrays);
    this.timeline.label(this.summary.textContent);
  }

  drawMarks() {
    if (!this.store.track) return;
    this.map.setLandmarks(this.store.landmarks, this.store.proposed);
    this.map.draw();
  }

  hover(index, tapped = false) {
    if (index === this.store.hovered && tapped === this.tapped) return;
    this.store.hovered = index;
    this.tapped = tapped;
    this.list.hovered();
    this.map.setHovered(index);
    this.timeline?.setHovered(index);
    this.showReadout();
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
    const none = "Point at a timestamp or tap it for its numbers; click it, or tap it again, to mark a landmark.";
    const { hovered, arrays, landmarks } = this.store;
    if (hovered < 0 || !arrays.budgets) return setText(this.readout, none);
    const more = this.tapped ? ` Tap it again to ${landmarks.has(hovered) ? "take the mark back" : "mark it"}.` : "";
    setText(this.readout, numbersOf(this.store, hovered, this.map.isTooWide(hovered)) + more);
  }
}

export default pageOf(LandmarkPage, { name: "landmarks", title: "How private is this track?", saves: SAVES, keys: KEYS, mapped: true });

// wide: whether the circle of 95 % does not fit on the map
function numbersOf(store, i, wide) {
  const { budgets, totals, backward, forward, total, error_m, radius95_m, published, rate, threshold_m } = store.arrays;
  const time = store.track.time[i];
  const radius = radius95_m[i] > 0 ? `, 95 % within ${metres(radius95_m[i])}${wide ? ", a circle wider than the map" : ""}` : "";
  const compared = rate && (Number.isNaN(threshold_m[i]) ? "nothing compared" : `threshold ${metres(threshold_m[i])}`);
  const sampled = rate ? `; sampling rate ${amount(rate[i])}, ${compared}` : "";
  const measured = published[i] ? "measured" : Number.isNaN(error_m[i]) ? "no release" : "repeats an earlier release";
  return (
    `${store.name(i)}, ${day(time)} ${clock(time)} (${store.track.zone}), ${store.landmarks.has(i) ? "landmark" : "regular"}, ${measured}: ` +
    `ε ${amount(budgets[i])}, with the landmarks ${amount(totals[i])}; loss ${amount(total[i])} ` +
    `(backward ${amount(backward[i])}, forward ${amount(forward[i])}); error ${metres(error_m[i])}${radius}${sampled}.`
  );
}

function everyScheme(schemes) {
  const lines = schemes.map(({ title, meaning }) => `${title}: ${meaning}`);
  return details("Every scheme in one line", bullets(lines, { class: "lmdk-meaning" }));
}

function namesOf(track) {
  if (track.n > 30) return [];
  return Array.from({ length: track.n }, (_, i) => track.labels[i] || `${i + 1}`);
}

function landmarkColours(store, root) {
  if (store.track.n > 400) return [];
  const [regular, landmark] = ["regular", "landmark"].map(coloursOf(root));
  return Array.from({ length: store.track.n }, (_, i) => (store.landmarks.has(i) ? landmark : regular));
}

function legend() {
  const item = (mark, colour, text) => h("span", {}, h("span", { class: `lmdk-key lmdk-key-${colour}`, "aria-hidden": "true" }, mark), ` ${text}  `);
  return [
    item("◆", "landmark", "landmark"),
    item("●", "regular", "regular"),
    item("✕", "release", "release, with a line to the true place"),
    item("➤", "release", "releases off the map, how far beyond its rim"),
    item("◌", "circle", "95 % of the hovered timestamp's releases"),
  ];
}
