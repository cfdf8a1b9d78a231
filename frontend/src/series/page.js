// The series page: a series of states, the quilt of any timestamp, what is released, and how releases compose.
import { BlockList, ChartBlock, part, TableBlock } from "../page/blocks.js";
import { Chart } from "../page/chart.js";
import { bullets, button, details, h, setText } from "../page/dom.js";
import { dataUpload } from "../page/fields.js";
import { LabPage, pageOf } from "../page/lab.js";
import { fileGoes } from "../page/server.js";
import { Aside } from "../page/shape.js";
import { SideBySide } from "../page/side_by_side.js";
import { SpanBar } from "../page/span_bar.js";
import { ChainView } from "./chain.js";
import { SegmentTrack, Stack, Story, showConditions } from "./composition.js";
import { OwnChains } from "./own_chains.js";
import css from "./series.css";
import { QuiltTimeline } from "./timeline.js";
import { clock } from "./timeline_marks.js";

const SAVES = {
  note:
    "Simulation, not a private release: every file says so, and whether it contains the true histogram. Settings contain everything " +
    "that is chosen here, including your own chains, but nothing of a series that you have uploaded.",
  items: [
    ["Quilt of every timestamp as CSV", "quilts"],
    ["Mechanisms in numbers as CSV", "mechanisms"],
    ["Histogram as CSV, true and released", "histogram"],
    ["What is done today as CSV", "practices"],
    ["Settings as JSON", "settings"],
    ["Copy as Python", "python"],
  ],
  open: "Open settings",
};
const BESIDE = ["Segments", "Story"]; // groups whose controls are next to what they change

class SeriesPage extends LabPage {
  build() {
    const series = this.part("series-day", "The series, and the quilt of one timestamp");
    const beside = this.part("series-beside", "What is released");
    this.shape(series, beside);
    const act = {
      choose: (node) => this.ask("node", node),
      worst: () => this.ask("node", -1),
      look: (span) => this.look(span),
      hover: (node) => this.point(node),
      count: () => this.length,
      picture: (picture, format) => this.savePicture(picture, format),
    };
    this.timeline = this.keep(new QuiltTimeline(series, this.root, act));
    this.spanBar = new SpanBar(() => this.look(null));
    series.append(this.spanBar.element);
    this.chain = new ChainView((picture, format) => this.savePicture(picture, format));
    this.keep(this.chain.heat);
    const [influence, nodes, histogram, methods, table] = Array.from({ length: 5 }, () => part());
    beside.append(histogram);
    this.histogramWords = h("p", { class: "lmdk-summary" });
    const { tabs } = this;
    tabs.add("words", "In words", [this.answers.lines, this.words, this.histogramWords]);
    tabs.add("influence", "Influence", [h("div", { class: "lmdk-twocolumns" }, influence, nodes)]);
    tabs.add("chain", "The model", [part("The model that adversaries believe: a Markov chain", this.chain.element)]);
    this.cards = new SideBySide(this, () => h("div", {}));
    this.small = new Map();
    tabs.add("compare", "Compare", [this.cards.element, methods, table]);
    this.practices = new BlockList(this);
    tabs.add("practices", "What is done today", [this.practices.element]);
    tabs.add("releases", "Several releases", this.bench());
    tabs.add("assumptions", "Assumptions", [this.assumption]);
    this.table = new TableBlock(table);
    const choose = ({ x }) => this.ask("node", Math.round(x) - 1);
    const places = { influence, histogram, methods, gap: this.gapChart, stack: this.stackChart };
    const { box } = this.timeline.detail;
    const drawn = Object.entries(places).map(([name, place]) => [name, new ChartBlock(this, place, null, name === "histogram" ? box : null)]);
    this.charts = { ...Object.fromEntries(drawn), nodes: new ChartBlock(this, nodes, choose, null, act), story: this.story };
  }

  // Several releases: stacked, from two segments, and two that are not private together.
  bench() {
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
    this.story = new Story(new ChartBlock(this, this.storyChart));
    const named = (name) => h("h3", { "data-title": name });
    const beside = (...parts) => h("div", { class: "lmdk-twocolumns" }, ...parts);
    return [
      beside(h("div", {}, named("stack"), this.stack.element), this.stackChart),
      named("segments"),
      beside(h("div", {}, this.track.element, this.sliders), this.gapChart),
      this.segmentWords,
      named("far"),
      this.far,
      this.conditions,
      named("story"),
      beside(h("div", {}, this.story.element, this.storyControls), this.storyChart),
    ];
  }

  around() {
    this.ownName = h("p", { class: "lmdk-meaning", role: "status" });
    const upload = dataUpload("Upload a series", this.options.suffixes, (file) => this.uploader.start(file));
    this.ownChains = new OwnChains((operation) => this.pump.request(operation));
    const allowed = details("What can be uploaded", bullets(uploads(this.options.formats)));
    this.ownSeries = new Aside("Your own series", h("div", { class: "lmdk-field" }, ...upload, this.ownName, allowed));
    this.ownSeries.element.classList.add("lmdk-ownseries");
    return {
      length: [this.ownChains.element],
      seed: [button("Draw again", () => this.again())],
    };
  }

  sides() {
    return {
      main: ["epsilon"],
      front: ["source", "epsilon"],
      folds: [
        this.ownSeries.element,
        { title: "Track", names: ["track"], say: () => this.titleOf("track") },
        { title: "Model", names: ["stay_one", "stay_two", "length"], say: ({ length }) => `${length} timestamps` },
        { title: "Readings", names: ["every", "level_w", "cell_m"], say: ({ every }) => (every === 1 ? "every one" : `1 of ${every}`) },
        { title: "Adversary", names: ["smoothing", "theta", "chains", "support"], say: ({ theta }) => (theta === "one" ? "one belief" : "several beliefs") },
        { title: "Release", names: ["mechanism", "query", "seed"], say: () => this.titleOf("query") },
      ],
    };
  }

  shownGroups() {
    return this.options.groups.filter(({ title }) => !BESIDE.includes(title));
  }

  setOptions(options) {
    super.setOptions(options);
    for (const heading of this.root.querySelectorAll("h3[data-title]")) setText(heading, options.titles[heading.dataset.title]);
    this.stack.fixed = Boolean(options.fields.releases.fixed);
    this.timeline.worst.hidden = Boolean(options.fields.node.fixed);
    const fieldsOf = (title) => options.groups.find((group) => group.title === title).names.map((name) => this.fields.field(name));
    this.sliders.replaceChildren(...fieldsOf("Segments"));
    this.storyControls.replaceChildren(...fieldsOf("Story"));
    this.ownOption = this.fields.rows.source.control.querySelector('option[value="own"]');
  }

  showControls() {
    const { source } = this.choices;
    const chosen = source === "chains" && this.source && this.source !== source; // there is something to type
    if (chosen) this.asides.find(({ fold }) => fold.title === "Model").aside.element.open = true;
    this.source = source;
    this.fields.show({ ...this.choices, ...this.placed }, this.visible);
  }

  show({ choices, refused, shown, ...told }) {
    if (refused) {
      this.stack.show(choices.releases, this.options.fields.releases.most, told.stack, refused);
      this.timeline.node = this.node; // the arrow keys go on from what is shown
      return;
    }
    this.placed = shown.placed; // what fits in this series
    const whose = `${choices.source} ${shown.length} ${shown.own}`;
    if (whose !== this.whose) this.look(null); // another series
    this.whose = whose;
    this.limits(shown);
    this.fields.units(shown.units);
    this.showControls();
    const belief = this.options.fields.theta.choices.find(({ name }) => name === choices.theta);
    setText(this.fields.rows.theta.meaning, `${belief.meaning} ${shown.believed}`);
    this.stack.show(choices.releases, this.options.fields.releases.most, told.stack);
    this.ownChains.show(shown.typed, choices.source === "chains");
    this.node = shown.node - 1;
    if (this.ownOption) this.ownOption.disabled = !shown.own; // in a saved file it does not exist
    setText(this.ownName, shown.own);
    if (!this.pump.awaits("node")) this.timeline.tell(this.node, shown.length, told.timeline); // else a later one was asked for
    this.answers.show(told.answers);
    this.cards.show(told.cards, choices.pinned);
    this.table.show(told.mechanisms);
    this.practices.show(told.practices);
    this.chain.tell(told.chain);
    this.segmentWords.replaceChildren(...told.segments.map((text, k) => h("p", { class: k === 1 ? "lmdk-said lmdk-said-main" : "lmdk-said" }, text)));
    setText(this.far, told.far);
    showConditions(this.conditions, told.conditions);
    this.story.show(told.story.map((text) => ({ text })));
  }

  /** @returns {{ choices?: { text: string, act: () => void }[], pick?: object, stays?: boolean }} */
  remedies(message) {
    if (message.kind !== "row-sums") return super.remedies(message);
    return { choices: [{ text: "Divide every row by its sum", act: () => this.ownChains.normalize() }] };
  }

  // Shows a part of the time in every view of it.
  look(span) {
    if (JSON.stringify(span) === JSON.stringify(this.span ?? null)) return;
    this.span = span;
    this.timeline.setSpan(span);
    this.charts.nodes.time?.setSpan(span);
    const { state } = this.timeline;
    this.spanBar.show(span, { n: this.length, time: [], name: (t) => clock(state, t) || String(t + 1) });
  }

  // The timestamp under the pointer, in every view of time.
  point(node) {
    this.timeline.point(node);
    this.charts.nodes.time?.point(node);
  }

  // How far the sliders of the segments go: as far as fits with the others.
  limits(shown) {
    const { length, placed, widest_gap: widest } = shown;
    this.length = length;
    for (const name of ["a_length", "b_length"]) this.fields.rows[name].reach(Math.max(2, Math.floor(0.4 * length)));
    this.fields.rows.gap.reach(Math.max(2, widest));
    this.fields.rows.a_first.reach(Math.max(1, widest - (placed.gap ?? 0)));
  }

  // The histogram of each card.
  drawSmall(figures) {
    for (const { name, picture } of this.cards.filled()) {
      if (!figures[name]) continue;
      if (!this.small.has(picture)) this.small.set(picture, this.keep(new Chart(picture, { label: `Histogram: ${name}` })));
      this.small.get(picture).draw(figures[name]);
    }
  }

  async draw({ figures, timeline, small }, arrays) {
    this.drawSmall(small);
    this.timeline.draw(timeline, arrays);
    this.chain.draw(timeline.labels, arrays.transition, arrays.long_run);
    this.track.draw(timeline.segments, this.length);
    setText(this.histogramWords, figures.histogram.summary);
    await Promise.all(Object.entries(figures).map(([name, chart]) => this.charts[name].draw(chart, arrays)));
    this.gapChart.hidden = !figures.gap;
    this.charts.nodes.time?.setSpan(this.span ?? null); // the chart may be new
  }
}

export default pageOf(SeriesPage, { name: "series", css, saves: SAVES });

/** @param {string} formats The formats of tracks, in words. */
function uploads(formats) {
  return [
    "Power: a table with a heading, a column of times and one of power, such as time,power. Named power_kW, or Global_active_power, it is in kilowatts; power_W, in watts. One reading per line; commas, semicolons or tabs between the columns.",
    "States: the same with a column such as state or activity; or just a list, one per line or separated by commas, whole numbers or names.",
    `A track: ${formats}. ${fileGoes()} No link contains any of it.`,
  ];
}
