// Defences compared by what an adversary infers: error against error as a chart, and the same as a table. Computed only while it
// is open, and filled one by one. A click on a mark or a row opens its setting.
import { Chart } from "../page/chart.js";
import { button, h, table } from "../page/dom.js";
import { Fold, fillTexts } from "./fold.js";
import { fillRows, openable } from "./rows.js";

const HEADS = ["scheme", "mechanism", "your error", "her error", "her chance of the true cell"];
const LEGEND =
  "✓ is efficient, ★ costs you least of those that keep her at least as far off as now, † takes its cells, grid or plan from the track itself and is neither. A click on a row or a mark opens its setting.";

export class Defences {
  // ask(open): whether they are wanted; go({ scheme, mechanism, place_m }): a setting is wanted; save(): the file;
  // library(): of the chart
  constructor({ ask, go, save, library }) {
    this.library = library;
    /** @type {any} */
    this.chart = null;
    /** @type {Promise<any> | null} */
    this.making = null;
    this.rows = [];
    this.open = (k) => {
      const [scheme, mechanism, place_m] = this.rows[k] ?? [];
      if (scheme) go({ scheme, mechanism, ...(place_m === null ? {} : { place_m }) });
    };
    this.texts = h("div", { role: "status" });
    this.place = h("div", {});
    this.body = h("tbody");
    openable(this.body, this.open);
    const file = h("div", { class: "lmdk-choices" }, button("Defences as CSV", save));
    const inside = [this.texts, this.place, table("Defences", HEADS, this.body), h("p", { class: "lmdk-meaning" }, LEGEND), file];
    this.fold = new Fold("defences", "Defences compared", ask, ...inside);
    this.details = this.fold.element;
  }

  show(wanted) {
    this.fold.show(wanted);
  }

  async draw({ texts, waits, figure, cells, go, efficient, best, chosen }) {
    this.rows = go;
    fillTexts(this.texts, texts);
    this.body.classList.toggle("lmdk-waits", waits);
    const mark = (k) => (k === best ? "★ " : "") + (efficient[k] ? "✓ " : "");
    const rows = cells.map(([first, ...rest], k) => [mark(k) + first, ...rest]);
    fillRows(this.body, rows, HEADS, (k) => ({
      class: efficient[k] ? "lmdk-meets" : undefined,
      "aria-current": k === chosen ? "true" : undefined,
    }));
    this.figure = figure;
    this.making ??= this.made();
    this.chart = await this.making;
    await this.chart.draw(this.figure, {}, "");
  }

  async made() {
    const { default: Plotly } = await this.library();
    const onclick = ({ trace, index }) => {
      const rows = this.figure.data[trace].meta;
      if (rows) this.open(rows[index]);
    };
    return new Chart(this.place, Plotly, { label: "Your error against hers, for every defence", onclick });
  }

  recolour() {
    this.chart?.recolour();
  }

  remove() {
    this.chart?.remove();
  }
}
