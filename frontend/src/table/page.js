// The table page: what the words of privacy mean, one part at a time. Each part has answers, a picture, and tabs.
import { button, h, setText } from "../page/dom.js";
import { percent } from "../page/format.js";
import { LabPage, pageOf } from "../page/lab.js";
import { ChartPart } from "./charts.js";
import { SequencePart } from "./sequence.js";
import { StackedPart } from "./stacked_releases.js";
import { StreamPart } from "./stream.js";
import css from "./table.css";
import { TablePart } from "./table.js";

const SAVES = {
  note: "Every file says what it is: a simulation, or an anonymised table, whose rows hide among those of their class and no more.",
  items: [
    ["This part as CSV", "part"],
    ["The attack as CSV", "attack"],
    ["Copy as Python", "python"],
  ],
};
const TABS = {
  table: { attacks: "Attacks", classes: "Classes", measures: "Measures" },
  noise: { likelier: "The ratio", tests: "The best test", people: "How many people", noise: "In numbers" },
  stream: { counter: "Pan-private", levels: "The levels", districts: "Whose hours" },
  adding: { releases: "Releases", repeated: "Repeated", coins: "Two coins", rules: "Rules" },
  sums: { queries: "The queries", outputs: "At home or away" },
  sequence: { published: "Published", remedied: "The remedies" },
};
const SUMS = { picture: ["error"], beside: ["trips"], tabs: { outputs: "outputs" }, table: "queries" };
const NOISE = { picture: ["outputs"], beside: ["belief"], tabs: { ratio: "likelier", tests: "tests", people: "people" }, table: "noise" };

class TablePage extends LabPage {
  build() {
    const [picture, beside] = ["picture", "beside"].map((name) => this.part(`table-${name}`, name === "picture" ? "The picture" : "Beside the picture"));
    this.shape(picture, beside);
    this.sections = { picture, beside };
    this.said = h("p", { class: "lmdk-summary", "data-lmdk": "drawing" });
    this.tabs.add("words", "In words", [this.answers.lines, this.words, this.said]);
    this.panels = {};
    for (const [name, title] of Object.values(TABS).flatMap(Object.entries)) this.tabs.add(name, title, [(this.panels[name] = h("div", {}))]);
    this.tabs.add("assumptions", "Assumptions", [this.assumption]);
    this.places = {};
    this.parts = { table: new TablePart(this, this.place("table")) };
  }

  // The places for the views of a part: in the picture, next to it, and in its tabs. Hidden while another part is shown.
  place(name) {
    const place = (section) => section.appendChild(h("div", { hidden: true }));
    const places = { picture: place(this.sections.picture), beside: place(this.sections.beside) };
    this.places[name] = places;
    return { ...places, panels: this.panels };
  }

  // A part is made when it is first shown.
  made(name) {
    if (name === "noise") this.parts.noise ??= new ChartPart(this, this.place("noise"), NOISE);
    if (name === "adding") this.parts.adding ??= new StackedPart(this, this.place("adding"));
    if (name === "stream") this.parts.stream ??= new StreamPart(this, this.place("stream"));
    if (name === "sums") this.parts.sums ??= new ChartPart(this, this.place("sums"), SUMS);
    if (name === "sequence") this.parts.sequence ??= new SequencePart(this, this.place("sequence"));
    return this.parts[name];
  }

  // An operation that is not a change of one choice.
  request(operation, commit = true) {
    this.pump.request(operation, commit);
  }

  around() {
    return { ...this.parts.table.around(), seed: [button("Draw again", () => this.again())] };
  }

  sides() {
    const { columns } = this.parts.table;
    return {
      main: ["least", "epsilon", "truth", "sigma", "repeats", "limit", "together"],
      front: [
        "part",
        "table",
        "mechanism",
        "level",
        "query",
        "least",
        "epsilon",
        "sigma",
        "truth",
        "repeats",
        "limit",
        "together",
        "remedy",
        "attack",
        "correlated",
      ],
      folds: [
        columns.aside.element,
        { title: "Measures", names: ["recursive_c"], say: ({ recursive_c: c }) => `c = ${c}` },
        { title: "Release", names: ["counted", "neighbours", "answers"], say: (choices) => this.released(choices) },
        { title: "Belief before", names: ["prior"], say: ({ prior }) => percent(prior) },
        { title: "Wanted error", names: ["wanted"], say: ({ wanted }) => percent(wanted) },
        { title: "Level", names: ["window", "discount"], say: ({ window: w, discount }) => `w = ${w}, γ = ${discount}` },
        { title: "A click", names: ["clicks", "announced", "fresh"], say: () => this.titleOf("clicks") },
        { title: "Scrooge", names: ["far", "clipped"], say: ({ far }) => `${far} km` },
        { title: "Budget", names: ["budget", "delta"], say: ({ budget }) => String(budget) },
        { title: "Draw", names: ["seed"], say: ({ seed }) => `seed ${seed}` },
      ],
    };
  }

  // What is released, as far as it can be chosen for the mechanism.
  released({ answers }) {
    const [first] = ["counted", "neighbours"].filter((name) => this.visible.includes(name));
    return first ? this.titleOf(first) : `${answers} answers`;
  }

  show({ choices, refused, told, answers }) {
    const shown = this.shownPart(choices.part);
    this.toolbar.offer("attack", choices.part === "table" && choices.attack !== "none");
    this.parts.table.columns.aside.element.hidden = choices.part !== "table";
    if (refused) return shown.restore?.();
    this.answers.show(answers);
    shown.tell(told);
  }

  shownPart(name) {
    const shown = this.made(name);
    for (const [other, places] of Object.entries(this.places)) for (const place of Object.values(places)) place.hidden = other !== name;
    for (const [other, tabs] of Object.entries(TABS)) for (const tab of Object.keys(tabs)) this.tabs.offer(tab, other === name);
    return shown;
  }

  async draw({ drawn }, arrays) {
    const shown = this.parts[drawn.part];
    setText(this.said, shown.words(drawn));
    await shown.draw(drawn, arrays);
  }
}

export default pageOf(TablePage, { name: "table", css, saves: SAVES });
