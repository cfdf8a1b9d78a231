// Error against epsilon or a loss for every scheme: computed only while it is open. A click on a mark goes there.
import { Chart } from "../page/chart.js";
import { h, setText } from "../page/dom.js";

export class TradeOff {
  // ask(name, value): a choice is wanted; go(scheme, epsilon): the settings of a mark are wanted; library: of the chart
  constructor(element, { ask, go, library }) {
    this.go = go;
    this.library = library;
    /** @type {any} */
    this.chart = null;
    /** @type {Promise<any> | null} */
    this.making = null;
    this.place = h("div", {}); // lines may come before the controls above them
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
    this.text = text;
    if (this.chart) setText(this.chart.words, text);
  }

  async draw({ figure, epsilons }) {
    this.epsilons = epsilons;
    this.figure = figure;
    this.making ??= this.made(); // lines come one by one, the first ones perhaps before the charts' program
    this.chart = await this.making;
    await this.chart.draw(this.figure, {}, this.text);
  }

  async made() {
    const { default: Plotly } = await this.library();
    const onclick = ({ trace, index }) => {
      const scheme = this.figure.data[trace].meta;
      if (scheme) this.go(scheme, this.epsilons[index]);
    };
    return new Chart(this.place, Plotly, { label: "Error of every scheme", onclick });
  }

  recolour() {
    this.chart?.recolour();
  }

  remove() {
    this.chart?.remove();
  }
}
