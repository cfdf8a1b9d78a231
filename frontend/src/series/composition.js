// Composition: stacked releases, two segments that move apart, and the story of two releases that do not compose.
import { button, h, setText } from "../page/dom.js";
import { askedNumber } from "../page/number_field.js";
import { StepByStep } from "../page/step_by_step.js";

const BARS = [0, 1, 2, 4, 4, 5]; // of the story, by its step
const SLIM = 0.07; // of the whole series

// Releases of the same series, one number each.
export class Stack {
  // ask(releases)
  constructor(ask) {
    this.ask = ask;
    this.fields = [];
    this.fixed = false; // in a file without a kernel
    this.row = h("div", { class: "lmdk-stackrow", role: "group", "aria-label": "Epsilons of the releases" });
    this.add = button("Add a release", () => ask([...this.values, this.values.at(-1)]));
    this.less = button("Remove one", () => ask(this.values.slice(0, -1)));
    this.words = h("p", { class: "lmdk-said", "data-lmdk": "stack" });
    const buttons = h("div", { class: "lmdk-stackrow" }, this.add, this.less);
    this.element = h("div", {}, this.row, buttons, this.words);
  }

  show(values, most, text, refused = false) {
    this.values = values;
    this.add.disabled = this.fixed || values.length >= most;
    this.less.disabled = this.fixed || values.length <= 1;
    if (text) setText(this.words, text);
    if (refused || this.fields.length !== values.length) {
      this.fields = values.map((value, k) => this.field(value, k));
      this.row.replaceChildren(...this.fields.map(({ input }) => input));
    }
    this.fields.forEach(({ show }, k) => show(values[k]));
  }

  field(value, k) {
    const attributes = { "aria-label": `Epsilon of release ${k + 1}`, value: String(value), disabled: this.fixed };
    return askedNumber(attributes, (asked) => this.ask(this.values.map((v, j) => (j === k ? asked : v))));
  }
}

// The positions of the two segments: boxes over the whole series.
export class SegmentTrack {
  constructor() {
    this.a = h("div", { class: "lmdk-segment lmdk-segment-a" }, h("span", {}, "A"));
    this.b = h("div", { class: "lmdk-segment lmdk-segment-b" }, h("span", {}, "B"));
    this.between = h("div", { class: "lmdk-between" });
    this.last = h("span", {});
    const track = h("div", { class: "lmdk-spans" }, this.a, this.between, this.b);
    const ends = h("div", { class: "lmdk-trackends" }, h("span", {}, "timestamp 1"), this.last);
    this.element = h("div", { "aria-hidden": "true" }, track, ends);
  }

  draw(segments, length) {
    this.element.hidden = !segments;
    if (!segments) return;
    const place = (element, first, last) => {
      Object.assign(element.style, { left: `${(100 * first) / length}%`, width: `${(100 * (last - first)) / length}%` });
      element.classList.toggle("lmdk-slim", last - first < SLIM * length); // its letter is next to it
    };
    const [a, b] = segments;
    place(this.a, a[0], a[1] + 1);
    place(this.b, b[0], b[1] + 1);
    place(this.between, a[1] + 1, b[0]);
    setText(this.last, `timestamp ${length}`);
  }
}

export function showConditions(list, conditions) {
  list.replaceChildren(...conditions.map(([sentence, holds]) => h("li", {}, h("b", {}, holds ? "✓ met: " : "– not met: "), sentence)));
}

// The counterexample, told step by step; each shows its bars too.
export class Story extends StepByStep {
  constructor(chart) {
    super(() => this.draw(), { "data-lmdk": "story" });
    this.chart = chart;
  }

  // The bars that the story has told so far: none, Alice, Bob, their sum and the true value, the bound that holds.
  draw(block = this.block) {
    if (!block) return Promise.resolve();
    this.block = block;
    this.chart.element.hidden = this.step === 0; // nothing to show yet
    const { data } = block.figure;
    const told = data.map((trace, k) => (k < BARS[this.step] ? trace : { ...trace, y: [null], text: [""] })); // every name keeps its place
    return this.chart.draw({ ...block, figure: { ...block.figure, data: told } }, {});
  }
}
