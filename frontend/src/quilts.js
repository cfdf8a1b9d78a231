// The quilt lab: a series of states, the quilt of any timestamp, what is released, and how releases compose.
import { Chart } from "./chart.js";
import { h, setText } from "./dom.js";
import { Fields } from "./fields.js";
import { LabPage } from "./lab.js";
import { showNumber } from "./number_field.js";
import style from "./quilts.css";
import { SegmentTrack, showConditions, Stack, Story } from "./quilts_bench.js";
import { ChainView } from "./quilts_chain.js";
import { QuiltTimeline } from "./quilts_timeline.js";

const PRIVACY = ["more private", "more accurate"];
const COUNT = ["few", "many"];
const SIZE = ["small", "large"];
const LENGTH = ["short", "long"];
const HEADS = ["mechanism", "σ", "noise of a bar", "error", "protects"];

export default {
  async render({ model, el, library }) {
    const page = new QuiltPage({ model, el, library });
    return () => page.remove();
  },
};

class QuiltPage extends LabPage {
  constructor(context) {
    super(context, { name: "quilts", title: "How private is any one moment of a day?", css: style });
  }

  build(first, main, controls) {
    this.controlsPart = controls;
    this.again = () => this.choices && this.ask("seed", (this.choices.seed + 1) % 2 ** 31);
    const panel = (title, ...children) => h("section", { class: "lmdk-part", "aria-label": title }, h("h2", {}, title), ...children);
    const series = panel("The series, and the quilt of one timestamp");
    first.append(series);
    this.timeline = new QuiltTimeline(series, this.root, {
      choose: (node) => this.ask("node", node),
      worst: () => this.ask("node", -1),
    });
    this.parts = {
      chain: panel("The chain that adversaries believe"),
      influence: panel("Influence against distance"),
      nodes: panel("Noise that each timestamp needs"),
      histogram: panel("The histogram, true and released"),
      methods: panel("Beside other ways"),
      table: panel("The mechanisms in numbers"),
      bench: panel("Composition bench"),
    };
    for (const wide of [this.parts.chain, this.parts.table, this.parts.bench]) wide.classList.add("lmdk-allcolumns");
    main.append(...Object.values(this.parts));
    this.chain = new ChainView(this.root);
    this.parts.chain.append(this.chain.element);
    this.buildTable();
    this.buildBench();
    this.charts = this.library("plotly.js").then((plotly) => this.buildCharts(plotly.default));
  }

  buildTable() {
    this.rows = h("tbody");
    const head = h("thead", {}, h("tr", {}, ...HEADS.map((text) => h("th", { scope: "col" }, text))));
    const frame = h("div", { class: "lmdk-tableframe", tabindex: "0", role: "region", "aria-label": "Mechanisms compared" }, h("table", { class: "lmdk-table" }, head, this.rows));
    this.parts.table.append(frame);
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
    this.story = new Story(null);
    this.storyControls = h("div");
    this.parts.bench.append(
      h("div", { class: "lmdk-bench" }, this.stack.element, this.stackChart),
      h("h3", {}, "Releases from two segments"),
      h("div", { class: "lmdk-bench" }, h("div", {}, this.track.element, this.sliders), this.gapChart),
      this.segmentWords,
      h("h3", {}, "A second theorem, for segments far apart"),
      this.far,
      this.conditions,
      h("h3", {}, "Two private releases that are not private together"),
      h("div", { class: "lmdk-bench" }, h("div", {}, this.story.element, this.storyControls), this.storyChart),
    );
  }

  buildCharts(Plotly) {
    const chart = (parent, label, act = {}) => new Chart(parent, Plotly, { label, ...act });
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

  setOptions(options) {
    this.options = options;
    const fields = (this.fields = new QuiltFields((name, value, commit) => {
      // timestamps count from 1 on the page
      this.ask(name, name === "a_first" && typeof value === "number" ? value - 1 : value, commit);
    }));
    const again = h("button", { type: "button", onclick: () => this.again() }, "Draw again");
    this.source = fields.choice("source", "Data", options.sources);
    this.ownOption = this.source.querySelector('option[value="own"]');
    this.ownName = h("p", { class: "lmdk-meaning" });
    const upload = fields.upload("Upload a series", "Upload a series", ".csv,.txt,.tsv,.gpx,.geojson,.json,.plt", (file) => this.uploader.start(file));
    this.source.append(upload, this.ownName, about());
    this.controlsPart.replaceChildren(
      fields.group("Privacy", fields.slider("epsilon", "Epsilon", { low: 0.05, high: 10, log: true, ends: PRIVACY })), // next to the timeline on a phone
      fields.group(
        "Data",
        this.source,
        fields.choice("track", "Track", options.tracks),
        fields.slider("cell_m", "Cell size", { low: 250, high: 10000, log: true, unit: "m", ends: SIZE }),
        fields.slider("level_w", "Level width", { low: 100, high: 2000, log: true, unit: "W", ends: SIZE }),
        fields.slider("stay_one", "p: state 1 stays", { low: 0, high: 1, ends: ["never", "always"] }),
        fields.slider("stay_two", "q: state 2 stays", { low: 0, high: 1, ends: ["never", "always"] }),
        fields.slider("length", "Length T", { low: 2, high: 5000, log: true, step: 0.001, unit: "timestamps", whole: true, ends: LENGTH }),
        fields.slider("every", "Read every k-th", { low: 1, high: 60, step: 1, unit: "reading", whole: true, ends: ["every one", "one of many"] }),
      ),
      fields.group(
        "Adversary",
        fields.slider("smoothing", "Smoothing", { low: 0.001, high: 10, log: true, ends: ["a little", "a lot"] }),
        fields.choice("theta", "Belief Θ", options.thetas),
        fields.slider("chains", "Chains in Θ", { low: 2, high: 30, step: 1, whole: true, ends: COUNT }),
      ),
      fields.group(
        "Release",
        fields.choice("query", "Histogram", options.queries),
        fields.choice("mechanism", "Mechanism drawn", options.mechanisms),
        fields.number("seed", "Seed", {}, again),
      ),
      h("p", { class: "lmdk-foot" }, `lmdk_widgets ${options.version}. Runs on this computer; nothing is sent elsewhere.`),
    );
    this.sliders.replaceChildren(
      fields.slider("gap", "Gap from A to B", { low: 1, high: 500, log: true, unit: "moves", whole: true, ends: ["near", "far apart"] }),
      fields.slider("a_first", "Start of A", { low: 1, high: 500, step: 1, whole: true, unit: "timestamp", ends: ["early", "late"] }),
      fields.slider("a_length", "Length of A", { low: 1, high: 500, step: 1, whole: true, ends: LENGTH }),
      fields.slider("b_length", "Length of B", { low: 1, high: 500, step: 1, whole: true, ends: LENGTH }),
      fields.slider("epsilon_a", "Epsilon of A", { low: 0.05, high: 10, log: true, ends: PRIVACY }),
      fields.slider("epsilon_b", "Epsilon of B", { low: 0.05, high: 10, log: true, ends: PRIVACY }),
    );
    this.storyControls.replaceChildren(fields.slider("truth_percent", "Chance that an answer is the true sum, not the throw of a die", { low: 0, high: 99, step: 1, unit: "%", whole: true, ends: PRIVACY }));
  }

  show({ choices, refused, shown, ...told }) {
    this.placed = shown?.placed ?? this.placed; // what fits in this series
    this.limits(shown);
    if (shown) this.believe(choices.theta, shown.believed);
    this.fields.show({ ...choices, ...this.placed });
    this.stack.show(choices.releases, this.options.most_releases, told.stack, refused);
    if (refused) {
      this.timeline.node = this.node; // the arrow keys go on from what is shown
      return;
    }
    this.node = shown.node - 1;
    const { rows } = this.fields;
    const visible = {
      track: choices.source === "track",
      cell_m: shown.kind === "track",
      level_w: shown.kind === "power",
      stay_one: shown.kind === "binary",
      stay_two: shown.kind === "binary",
      length: shown.kind === "binary",
      every: shown.kind !== "binary",
      smoothing: !shown.known || choices.theta === "bootstrap",
      chains: choices.theta === "bootstrap",
    };
    for (const [name, seen] of Object.entries(visible)) rows[name].row.hidden = !seen;
    this.ownOption.disabled = !shown.own;
    setText(this.ownName, shown.own ? `Your file: ${shown.own}` : "");
    if (!this.pump.awaits("node")) this.timeline.tell(this.node, shown.length, told.timeline); // else a later one was asked for
    this.showTable(told.rows, told.protects, told.notes);
    this.chain.tell(told.chain);
    this.segmentWords.replaceChildren(...told.segments.map((text, k) => h("p", { class: k === 1 ? "lmdk-said lmdk-said-main" : "lmdk-said" }, text)));
    setText(this.far, told.far);
    showConditions(this.conditions, told.conditions);
    this.story.show(told.story);
  }

  // How far the sliders of the segments go: as far as it fits beside the others.
  limits(shown) {
    if (!shown) return;
    const { length, placed, widest_gap: widest } = shown;
    this.length = length;
    for (const name of ["a_length", "b_length"]) this.fields.limit(name, Math.max(2, Math.floor(0.4 * length)));
    this.fields.limit("gap", Math.max(2, widest));
    this.fields.limit("a_first", Math.max(2, widest - (placed.gap ?? 0) + 1));
  }

  // Beneath the belief: which one holds now.
  believe(theta, text) {
    const chosen = this.options.thetas.find(({ name }) => name === theta);
    chosen.plain ??= chosen.meaning;
    chosen.meaning = `${chosen.plain} ${text}`;
  }

  showTable(rows, protects, notes) {
    this.rows.replaceChildren(
      ...rows.flatMap((row, r) => [
        h("tr", {}, ...row.map((cell, k) => (k ? h("td", { class: k === 4 && !protects[r] ? "lmdk-no" : undefined }, cell) : h("th", { scope: "row" }, cell)))),
        h("tr", { class: "lmdk-noterow" }, h("td", { colspan: String(HEADS.length) }, notes[r])),
      ]),
    );
  }

  async draw({ figures, summaries, timeline }, arrays) {
    this.timeline.draw(timeline, arrays);
    this.chain.draw(timeline.labels, arrays.transition, arrays.long_run);
    this.track.draw(timeline.segments, this.length);
    const charts = await this.charts;
    await Promise.all(
      Object.entries(figures).map(([name, figure]) => (name === "story" ? this.story.draw(figure) : charts[name].draw(figure, arrays, summaries[name] ?? ""))),
    );
    this.gapChart.hidden = !figures.gap;
  }

  recolour() {
    this.timeline.paint();
    this.chain.paint();
    this.charts.then((charts) => Object.values(charts).forEach((chart) => chart.recolour()));
  }

  remove() {
    super.remove();
    this.timeline.remove();
    this.chain.remove();
    this.charts.then((charts) => Object.values(charts).forEach((chart) => chart.remove()));
  }
}

// The controls, with ends of sliders that follow the length of the series, and the values in use in every box.
class QuiltFields extends Fields {
  slider(name, label, options) {
    const row = super.slider(name, label, options);
    this.rows[name].log = options.log;
    this.rows[name].number = row.querySelector(".lmdk-number");
    this.rows[name].number.addEventListener("input", ({ target }) => (this.typing = target));
    this.rows[name].number.addEventListener("change", () => (this.typing = null));
    return row;
  }

  // What was entered may not fit and another value be in use: that is shown, also while the cursor is in the box.
  show(values, ...rest) {
    super.show(values, ...rest);
    const { number } = Object.values(this.rows).find((row) => row.number && row.number === document.activeElement) ?? {};
    if (!number || number === this.typing) return;
    const [name] = Object.entries(this.rows).find(([, row]) => row.number === number);
    if (name in values && !this.awaits(name)) showNumber(number, Number(values[name].toPrecision(6)));
  }

  limit(name, most) {
    const { control, log } = this.rows[name];
    control.max = String(log ? Math.log10(most) : most);
  }
}

function about() {
  const text = [
    "Power: a table with a heading, a column of times and one of power, such as time,power. Named power_kW, or Global_active_power, it is in kilowatts; power_W, in watts. One reading a line; commas, semicolons or tabs between the columns.",
    "States: the same with a column such as state or activity; or a mere list, one a line or with commas between them, whole numbers or names.",
    "A track: CSV, GPX, GeoJSON or Geolife .plt. The file stays on this computer; no link holds any of it.",
  ];
  return h("details", {}, h("summary", {}, "What can be uploaded"), h("ul", {}, ...text.map((line) => h("li", {}, line))));
}
