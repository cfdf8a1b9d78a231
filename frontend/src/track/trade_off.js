// Error against epsilon or a loss for every scheme: computed only while it is open. A click on a mark goes there.
import { ChartBlock } from "../page/blocks.js";
import { h, setText } from "../page/dom.js";

export class TradeOff {
  // ask(name, value): a choice is wanted; go(scheme, epsilon): the settings of a mark are wanted; keep(view): of the page
  constructor(element, { ask, go, keep }) {
    const onclick = ({ trace, index }) => {
      const scheme = this.figure.data[trace].meta;
      if (scheme) go(scheme, this.epsilons[index]);
    };
    this.place = h("div", {}); // lines may come before the controls above them
    this.chart = new ChartBlock({ keep }, this.place, onclick);
    this.inside = h("div", { class: "lmdk-inside" }, this.place);
    this.details = h("details", { class: "lmdk-tradeoff" }, h("summary", {}, "Error against epsilon, for every scheme"), this.inside);
    this.details.addEventListener("toggle", () => this.details.open !== this.wanted && ask("trade_off.open", this.details.open));
    element.append(this.details);
  }

  controls(rows) {
    this.inside.replaceChildren(h("div", { class: "lmdk-pair" }, ...rows), this.place);
  }

  show(wanted, text) {
    this.wanted = wanted;
    this.details.open = wanted;
    if (!wanted) return;
    this.text = text;
    if (this.chart.chart) setText(this.chart.chart.words, text);
  }

  draw({ chart, epsilons }) {
    this.epsilons = epsilons;
    this.figure = chart.figure;
    this.chart.draw({ ...chart, summary: this.text }, {});
  }
}
