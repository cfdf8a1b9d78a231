// The place page: what a mechanism reports, what an adversary learns from it, and what it costs.
import { swatches } from "../map/scale.js";
import { BlockList, ChartBlock, part, TableBlock } from "../page/blocks.js";
import { bullets, button, details, h, setText, TOUCH } from "../page/dom.js";
import { dataUpload } from "../page/fields.js";
import { metres, percent } from "../page/format.js";
import { LabPage, pageOf } from "../page/lab.js";
import { fileGoes } from "../page/server.js";
import { PlaceCards } from "./cards.js";
import css from "./place.css";

const SAVES = {
  note: "Every file says what it is: a mechanism and its numbers, not a private release.",
  items: [
    ["Channel as CSV, with its certificate", "channel"],
    ["Mechanisms and today's practices as CSV", "practices"],
    ["Copy as Python", "python"],
  ],
};
const BRUSHES = { 0: "never", 1: "1", 4: "4 times", 16: "16 times" };

const OWN = "own";
const MATRICES = [
  "A number for each pair of cells, such as minutes of travel: one row per starting cell, one column per destination, in the order A1, B1, ..., A2, B2, ...; row and column names are allowed.",
  "Of two directions the shorter one counts, or a route through other cells if that is shorter still.",
  `${fileGoes()} No link contains any of it.`,
];
const UPLOADS = [
  "Check-ins: one per line, under a heading that names latitude and longitude; commas, semicolons or tabs between columns; a column named count says how many a line represents, one with times separates mornings and evenings, and others, such as a user, are ignored.",
  "Or counts for a square of 100 m cells around the centre of the grid: k times k numbers, column by column from the west, each from the south.",
  `${fileGoes()} No link contains any of it.`,
];

class PlacePage extends LabPage {
  build() {
    this.brush = 4;
    this.drawn = {};
    this.buildStatus();
    this.clicks = segments("What a click means");
    this.brushes = segments("Brush", true);
    const place = this.part("place-map", "Map");
    const beside = this.part("place-beside", "Charts");
    this.shape(place, beside);
    this.addMap("CellMap", place, {
      pick: (cell) => this.ask("place", cell, false),
      paint: (cells) => this.pump.request({ op: "paint", cells, weight: this.brush }),
      hover: (cell) => this.showReadout(cell),
    });
    this.readout = h("p", { class: "lmdk-readout lmdk-oneline", "aria-live": "polite" });
    this.tells = h("p", { class: "lmdk-summary", "data-lmdk": "drawing" });
    this.marks = [mark("regular", "●", "true place"), mark("release", "■", "report"), mark("landmark", "◆", "best guess")];
    this.edgeKeys = [edgeKey("thin", "spanner edge"), edgeKey("binding", "binding")];
    this.legend = legend();
    place.append(this.legend, h("div", { class: "lmdk-place-under" }, this.readout, this.status));
    this.guarantee = h("p", { class: "lmdk-guarantee" });
    const certificate = part();
    certificate.classList.add("lmdk-certificate");
    this.certificate = new TableBlock(certificate);
    const promise = h("section", { class: "lmdk-part" }, h("h2", {}, "What is guaranteed, and against whom"), this.guarantee);
    const charts = this.buildCharts(beside);
    this.tabs.add("words", "In words", [this.answers.lines, this.words, this.tells]);
    this.tabs.add("certificate", "Certificate", [h("div", { class: "lmdk-twocolumns" }, certificate, promise)]);
    this.cards = this.keep(new PlaceCards(this, this.maps));
    this.practices = new BlockList(this);
    this.tabs.add("compare", "Compare", [this.cards.element, this.practices.element, ...charts]);
    this.tabs.add("assumptions", "Assumptions", [this.assumption]);
    this.handlers.charts = (message) => this.drawCharts(message.figures);
    this.handlers.cards = (message, buffers) => this.drawCards(message.shown, this.unpacked(message, buffers));
  }

  buildStatus() {
    this.statusText = h("span", { "data-lmdk": "status" });
    this.cancel = button("Cancel", () => this.send({ type: "cancel" }), { hidden: true });
    this.resume = button("Solve again", () => this.send({ type: "resume" }), { hidden: true });
    this.status = h("div", { class: "lmdk-place-status lmdk-askhere", role: "group", "aria-label": "Solving" }, this.statusText, this.cancel, this.resume);
  }

  // The curve of the level next to the map; what compares mechanisms in a tab.
  buildCharts(beside) {
    const more = h("div", { class: "lmdk-twocolumns" });
    this.lossWords = h("p", { class: "lmdk-summary" });
    this.wait = button("Compute the charts for this many cells", () => this.ask("charts", true, false), { hidden: true });
    const chart = (name, place, picture = null) => [name, new ChartBlock(this, place.appendChild(part()), null, picture)];
    this.charts = Object.fromEntries([chart("loss", beside, this.root.querySelector(".lmdk-mapframe")), chart("adversary", more), chart("tradeoff", more)]);
    beside.append(h("div", { class: "lmdk-place-wait" }, this.wait));
    return [this.lossWords, more];
  }

  around() {
    const upload = (text, accept, options) => dataUpload(text, accept, (file) => this.uploader.start(file, options));
    this.epsilon = h("p", { class: "lmdk-meaning" });
    this.clear = button("Clear the painting", () => this.pump.request({ op: "clear" }));
    this.move = button("", () => (this.choices.around ? this.ask("around", false) : this.moveThere()));
    return {
      track: upload("Upload a track", this.options.suffixes, {}),
      region: [(this.confirm = button("This area can be public", () => this.ask("region", this.region, false), { hidden: true }))],
      prior: [
        ...upload("Upload check-ins", ".csv,.txt,.tsv", { purpose: "checkins" }),
        this.move,
        details("What can be uploaded", bullets(UPLOADS)),
        this.clear,
      ],
      error_by: [...upload("Upload distances", ".csv,.txt,.tsv", { purpose: "distances" }), details("What can be uploaded", bullets(MATRICES))],
      radius_m: [this.epsilon],
      dilation: [(this.presets = h("div", { class: "lmdk-presets", role: "group", "aria-label": "Settings of a figure" }))],
    };
  }

  mapTitle() {
    return `Map: ${this.titleOf("layer")}`;
  }

  sides() {
    const cells = ({ area, rows, columns }) => ({ grid: `${columns} × ${rows}`, track: "of a track" })[area] ?? this.titleOf("area");
    const clicks = h("div", { class: "lmdk-place-clicks" }, h("p", { class: "lmdk-segmentname" }, "On click"), this.clicks, this.brushes);
    return {
      main: ["level"],
      front: ["level", "mechanism", clicks],
      folds: [
        { title: "Cells", names: ["area", "rows", "columns", "cell_m", "latitude", "longitude", "region"], say: cells },
        { title: "Who is where", names: ["prior", "track", "other"], say: () => this.titleOf("prior") },
        { title: "Distances", names: ["privacy_by", "quality_by", "error_by", "unit_m"], say: () => this.titleOf("privacy_by") },
        {
          title: "What is done today",
          names: ["decimals", "square_cells"],
          say: ({ decimals, square_cells: cells }) => `${decimals} decimals, ${cells} × ${cells} cells`,
        },
        { title: "Map", names: ["layer"], say: () => this.titleOf("layer") },
        { title: "Radius", names: ["radius_m", "dilation", "loss_percent"], say: ({ radius_m: radius }) => metres(radius) },
      ],
    };
  }

  setOptions(options) {
    super.setOptions(options);
    const { rows, declared } = this.fields;
    rows.track.control.append((this.own = h("option", { value: OWN, disabled: true }, "A track of your own")));
    this.known = declared.track.choices.map((track) => track.name);
    this.checkins = rows.prior.control.querySelector("option[value=checkins]");
    const named = (text) => h("span", { class: "lmdk-segmentname" }, text);
    this.presets.replaceChildren(...options.presets.map(({ name, title }) => button(title, () => this.pump.request({ op: "preset", name }))));
    this.clicks.replaceChildren(...declared.click.choices.map((c) => this.segment("click", c, false)));
    const brush = ([weight, text]) => button(text, () => this.setBrush(Number(weight)), { "data-name": weight });
    const never = button("Rule out all other cells", () => this.pump.request({ op: "never" }));
    this.brushes.replaceChildren(named("Weight"), ...Object.entries(BRUSHES).map(brush), never);
    this.setBrush(this.brush);
  }

  showControls() {
    const { choices } = this;
    const own = !this.known.includes(choices.track);
    this.own.disabled = !own;
    if (this.checkins) this.checkins.disabled = !choices.checkins; // in a saved file it does not exist
    this.clear.hidden = !choices.painted.length;
    this.fields.show({ ...choices, track: own ? OWN : choices.track }, this.visible);
  }

  // Moves the grid to the check-ins, including refused ones.
  moveThere() {
    this.pump.request({ op: "there" });
  }

  remedies(message) {
    if (message.kind !== "elsewhere") return super.remedies(message);
    return { choices: [{ text: "Move the grid there", act: () => this.moveThere() }], stays: true };
  }

  segment(name, { name: value, title, meaning }, commit) {
    return button(title, () => this.ask(name, value, commit), { "data-name": value, title: meaning, disabled: this.fields.declared[name].fixed });
  }

  setBrush(weight) {
    this.brush = weight;
    press(this.brushes, String(weight));
  }

  // Next to the map rather than at the bottom: it says how far the mechanism drawn there may be from the best.
  showWork({ busy, work }) {
    setText(this.statusText, work.text || "Solved.");
    this.cancel.hidden = !busy;
    this.resume.hidden = busy || !work.text;
    this.root.dataset.lmdkBusy = busy ? "1" : "";
  }

  show(message) {
    const { choices } = message;
    press(this.clicks, choices.click);
    this.brushes.hidden = choices.click !== "paint";
    this.map.setMode(choices.click === "paint");
    if (message.refused) return;
    for (const option of this.fields.rows.mechanism.control.options) option.classList.toggle("lmdk-notyet", !message.known.includes(option.value));
    this.answers.show(message.answers);
    this.cards.show(message.cards, choices.pinned);
    this.certificate.show(message.certificate);
    setText(this.guarantee, message.guarantee);
    this.practices.show(message.practices);
    setText(this.epsilon, message.epsilon);
    this.region = message.region;
    this.fields.rows.region.unchosen(message.region);
    this.confirm.hidden = !message.proposed;
    setText(this.move, message.moving);
    this.move.hidden = !message.moving;
    this.root.classList.toggle("lmdk-stale", message.stale);
    this.wait.hidden = !message.charts_wait;
  }

  async draw(message, arrays) {
    this.drawing = { ...message, ...arrays };
    this.map.setCells({ ...arrays, base: message.base, names: message.names });
    this.map.setValues(arrays.values, message.shown, arrays);
    for (const key of this.edgeKeys) key.hidden = !arrays.edges;
    const scale = String(message.shown.most_m);
    if (scale !== this.scale) this.legend.replaceChildren(...swatches(message.shown), ...this.marks, ...this.edgeKeys);
    this.scale = scale;
    setText(this.tells, message.summary);
    this.showReadout(this.cursor ?? -1);
    if (!this.paintings) await this.drawn.last; // later ones are painted when there is time
  }

  drawCards(shown, arrays) {
    const { squares, names, values, shown: now } = this.drawing;
    this.cards.draw({ squares, names }, { ...shown, now }, { ...arrays, now: values });
  }

  drawCharts(figures) {
    const changed = Object.entries(figures).filter(([name, figure]) => {
      const key = JSON.stringify(figure);
      return this.drawn[name] !== key && (this.drawn[name] = key);
    });
    setText(this.lossWords, figures.loss.summary);
    this.drawn.last = Promise.all(changed.map(([name, chart]) => this.charts[name].draw(chart, {})));
  }

  showReadout(cell) {
    this.cursor = cell;
    const { names = [], values, prior, shown } = this.drawing ?? {};
    if (!(cell in names)) {
      const fixed = this.fields?.declared.place.fixed; // in a file without a kernel
      const aim = TOUCH ? "Tap a cell" : "Point at a cell";
      const tapped = TOUCH && !fixed; // a tap chooses as well
      setText(this.readout, tapped ? "Tap a cell to choose it and see its numbers." : `${aim} for its numbers.`);
      return;
    }
    const chosen = names[shown.selected];
    const said = {
      prior: "",
      reports: `, reported from ${chosen} with ${percent(values[cell])}`,
      never: `; the report ${chosen} is never made`,
      reader: `; from there the report is off by ${metres(values[cell])}`,
      attacker: `; from there the best guess is off by ${metres(values[cell])}`,
      belief: `, believed after the report ${chosen} with ${percent(values[cell])}`,
    }[shown.meaning];
    setText(this.readout, `${names[cell]}: prior ${percent(prior[cell])}${said}.`);
  }
}

export default pageOf(PlacePage, { name: "place", css, saves: SAVES, mapped: true });

const segments = (label, hidden = false) => h("div", { class: "lmdk-segments", role: "group", "aria-label": label, hidden });

function press(group, name) {
  for (const each of group.querySelectorAll("button")) each.setAttribute("aria-pressed", String(each.dataset.name === name));
}

const edgeKey = (name, text) => h("li", { class: "lmdk-edge", hidden: true }, h("span", { class: `lmdk-edge-${name}` }), ` ${text}`);

const mark = (name, sign, text) => h("li", {}, h("span", { class: `lmdk-key-${name}`, "aria-hidden": "true" }, sign), ` ${text}`);

const legend = () => h("ul", { class: "lmdk-scale", "aria-label": "Legend" });
