// The quilts page: a series of states, the quilt of any timestamp, what is released, and how releases compose.
import { Chart } from "../page/chart.js";
import { bullets, button, details, h, setText, table, tableRow } from "../page/dom.js";
import { uploadButton } from "../page/fields.js";
import { LabPage, pageOf } from "../page/lab.js";
import { ChainView } from "./chain.js";
import { SegmentTrack, Stack, Story, showConditions } from "./composition.js";
import { OwnChains } from "./own_chains.js";
import css from "./quilts.css";
import { QuiltTimeline } from "./timeline.js";

const SAVES = {
  note:
    "Simulation, not a private release: every file says so, and which one holds the true histogram. Settings hold everything that is " +
    "chosen here, chains of your own too, and nothing of a series that you have uploaded.",
  items: [
    ["Report: a page to read and print", "report"],
    ["What-if as one file", "what-if"],
    ["Charts as SVG", "svg"],
    ["Charts as PNG", "png"],
    ["Quilt of every timestamp as CSV", "quilts"],
    ["Mechanisms in numbers as CSV", "mechanisms"],
    ["Histogram as CSV, true and released", "histogram"],
    ["Settings as JSON", "settings"],
    ["Copy as Python", "python"],
  ],
  open: "Open settings",
};
const HEADS = ["mechanism", "σ", "noise of a bar", "error", "protects"];
const BESIDE = ["Segments", "Story"]; // groups whose controls stand beside what they change

const panel = (title, ...children) => h("section", { class: "lmdk-part", "aria-label": title }, h("h2", {}, title), ...children);

class QuiltPage extends LabPage {
  build() {
    const { first, views } = this.columns();
    const series = panel("The series, and the quilt of one timestamp");
    first.append(series);
    const act = { choose: (node) => this.ask("node", node), worst: () => this.ask("node", -1) };
    this.timeline = this.keep(new QuiltTimeline(series, this.root, act));
    this.chain = new ChainView();
    this.keep(this.chain.heat);
    this.rows = h("tbody");
    this.parts = {
      chain: panel("The chain that adversaries believe", this.chain.element),
      influence: panel("Influence against distance"),
      nodes: panel("Noise that each timestamp needs"),
      histogram: panel("The histogram, true and released"),
      methods: panel("Compared with other mechanisms"),
      table: panel("The mechanisms in numbers", table("Mechanisms compared", HEADS, this.rows)),
      composition: panel("Composition"),
    };
    for (const wide of [this.parts.chain, this.parts.table, this.parts.composition]) wide.classList.add("lmdk-allcolumns");
    views.append(...Object.values(this.parts));
    this.buildBench();
    this.charts = this.library("plotly.js").then((plotly) => this.buildCharts(plotly.default));
  }

  buildBench() {
    this.stack = new Stack((releases) => this.ask("releases", releases));
    this.track = new SegmentTrack();
    this.segmentWords = h("div", { "data-lmdk": "segments" });
    this.far = h("p", { class: "lmdk-said" });
    this.conditions = h("ul", { class: "lmdk-conditions" });
    this.sliders = h("div", { class: "lmdk-sliders" });
    this.gapChart = h("div");
    this.stackChart = h("div");
    this.storyChart = h("div");
    this.storyControls = h("div");
    this.story = new Story(null);
    const beside = (...parts) => h("div", { class: "lmdk-composition" }, ...parts);
    this.parts.composition.append(
      beside(this.stack.element, this.stackChart),
      h("h3", {}, "Releases from two segments"),
      beside(h("div", {}, this.track.element, this.sliders), this.gapChart),
      this.segmentWords,
      h("h3", {}, "A second theorem, for segments far apart"),
      this.far,
      this.conditions,
      h("h3", {}, "Two private releases that are not private together"),
      beside(h("div", {}, this.story.element, this.storyControls), this.storyChart),
    );
  }

  buildCharts(Plotly) {
    const chart = (parent, label, act = {}) => this.keep(new Chart(parent, Plotly, { label, ...act }));
    const charts = {
      influence: chart(this.parts.influence, "Influence against distance"),
      nodes: chart(this.parts.nodes, "Noise that each timestamp needs", { onclick: (point) => this.ask("node", Math.round(point.x) - 1) }),
      histogram: chart(this.parts.histogram, "Histogram, true and released"),
      methods: chart(this.parts.methods, "Errors of the mechanisms"),
      gap: chart(this.gapChart, "Guarantee against the gap"),
      stack: chart(this.stackChart, "Epsilon of the stacked releases"),
      story: chart(this.storyChart, "Epsilon of Alice, of Bob, and of both"),
    };
    this.story.chart = charts.story;
    return charts;
  }

  around() {
    this.ownName = h("p", { class: "lmdk-meaning", role: "status" });
    const upload = uploadButton("Upload a series", this.options.suffixes, (file) => this.uploader.start(file));
    this.ownChains = new OwnChains((operation) => this.pump.request(operation));
    return {
      source: [this.ownChains.element, upload, this.ownName, details("What can be uploaded", bullets(uploads(this.options.formats)))],
      seed: [button("Draw again", () => this.again())],
    };
  }

  shownGroups() {
    return this.options.groups.filter(({ title }) => !BESIDE.includes(title));
  }

  setOptions(options) {
    super.setOptions(options);
    this.stack.fixed = Boolean(options.fields.releases.fixed);
    this.timeline.worst.hidden = Boolean(options.fields.node.fixed);
    const fieldsOf = (title) => options.groups.find((group) => group.title === title).names.map((name) => this.fields.field(name));
    this.sliders.replaceChildren(...fieldsOf("Segments"));
    this.storyControls.replaceChildren(...fieldsOf("Story"));
    this.ownOption = this.fields.rows.source.control.querySelector('option[value="own"]');
  }

  showControls() {
    this.fields.show({ ...this.choices, ...this.placed }, this.visible);
  }

  show({ choices, refused, shown, ...told }) {
    if (refused) {
      this.stack.show(choices.releases, this.options.fields.releases.most, told.stack, refused);
      this.timeline.node = this.node; // the arrow keys go on from what is shown
      return;
    }
    this.placed = shown.placed; // what fits in this series
    this.limits(shown);
    this.showControls();
    const belief = this.options.fields.theta.choices.find(({ name }) => name === choices.theta);
    setText(this.fields.rows.theta.meaning, `${belief.meaning} ${shown.believed}`);
    this.stack.show(choices.releases, this.options.fields.releases.most, told.stack);
    this.ownChains.show(shown.typed, choices.source === "chains");
    this.node = shown.node - 1;
    if (this.ownOption) this.ownOption.disabled = !shown.own; // else it is no part of a file
    setText(this.ownName, shown.own);
    if (!this.pump.awaits("node")) this.timeline.tell(this.node, shown.length, told.timeline); // else a later one was asked for
    this.showTable(told.rows, told.protects, told.notes);
    this.chain.tell(told.chain);
    this.segmentWords.replaceChildren(...told.segments.map((text, k) => h("p", { class: k === 1 ? "lmdk-said lmdk-said-main" : "lmdk-said" }, text)));
    setText(this.far, told.far);
    showConditions(this.conditions, told.conditions);
    this.story.show(told.story);
  }

  /** @returns {{ choices?: { text: string, act: () => void }[], pick?: object, stays?: boolean }} */
  remedies(message) {
    if (message.kind !== "row-sums") return super.remedies(message);
    return { choices: [{ text: "Divide every row by its sum", act: () => this.ownChains.normalize() }] };
  }

  // How far the sliders of the segments go: as far as it fits beside the others.
  limits(shown) {
    const { length, placed, widest_gap: widest } = shown;
    this.length = length;
    for (const name of ["a_length", "b_length"]) this.fields.rows[name].reach(Math.max(2, Math.floor(0.4 * length)));
    this.fields.rows.gap.reach(Math.max(2, widest));
    this.fields.rows.a_first.reach(Math.max(1, widest - (placed.gap ?? 0)));
  }

  showTable(rows, protects, notes) {
    const note = (text) => h("tr", { class: "lmdk-noterow" }, h("td", { colspan: String(HEADS.length) }, text));
    this.rows.replaceChildren(...rows.flatMap((row, r) => [tableRow(row), note(notes[r])]));
    protects.forEach((kept, r) => this.rows.children[2 * r].lastElementChild.classList.toggle("lmdk-no", !kept));
  }

  async draw({ figures, summaries, timeline }, arrays) {
    this.timeline.draw(timeline, arrays);
    this.chain.draw(timeline.labels, arrays.transition, arrays.long_run);
    this.track.draw(timeline.segments, this.length);
    const charts = await this.charts;
    const drawn = ([name, figure]) => (name === "story" ? this.story.draw(figure) : charts[name].draw(figure, arrays, summaries[name] ?? ""));
    await Promise.all(Object.entries(figures).map(drawn));
    this.gapChart.hidden = !figures.gap;
  }
}

export default pageOf(QuiltPage, { name: "quilts", title: "How private is any one moment of a day?", css, saves: SAVES });

/** @param {string} formats The formats of tracks, in words. */
function uploads(formats) {
  return [
    "Power: a table with a heading, a column of times and one of power, such as time,power. Named power_kW, or Global_active_power, it is in kilowatts; power_W, in watts. One reading per line; commas, semicolons or tabs between the columns.",
    "States: the same with a column such as state or activity; or a mere list, one per line or with commas between them, whole numbers or names.",
    `A track: ${formats}. The file stays on this computer; no link holds any of it.`,
  ];
}
