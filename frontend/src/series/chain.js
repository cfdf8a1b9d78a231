// The chain that adversaries believe: its transition matrix as a heat map, and words beside it.
import { h } from "../page/dom.js";
import { HeatMap } from "../page/heat_map.js";

const LEGEND = "A row is a state, a column the state one timestamp later; the stronger the colour, the likelier. Below: how often each occurs in the long run.";

export class ChainView {
  // save: as for HeatMap
  constructor(save) {
    this.heat = new HeatMap(save);
    this.words = h("div", { "data-lmdk": "chain" });
    this.element = h("div", { class: "lmdk-chain" }, this.heat.element, h("div", {}, this.words, h("p", { class: "lmdk-meaning" }, LEGEND)));
  }

  tell(sentences) {
    const text = sentences.join(" ");
    if (text === this.text) return;
    this.text = text;
    this.words.replaceChildren(...sentences.map((sentence) => h("p", { class: "lmdk-said" }, sentence)));
  }

  draw(labels, matrix, longRun) {
    this.heat.draw(labels, matrix, longRun, this.text);
  }
}
