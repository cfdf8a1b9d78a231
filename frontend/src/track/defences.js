// Defences compared: useful against found as a chart, and the same as a table. Computed only while it
// is open, and filled one by one. A click on a mark or a row opens its setting.
import { ChartBlock, OpenTable } from "../page/blocks.js";
import { button, h } from "../page/dom.js";
import { Fold, fillTexts } from "./fold.js";

const LEGEND =
  "✓ is efficient, ★ keeps the promises of now, is as useful, and lets nothing be found nearer, † takes its cells, grid or plan from the track itself and is neither. A click on a row or a mark opens its setting.";

export class Defences {
  // ask(open): whether they are wanted; go({ scheme, mechanism, place_m }): a setting is wanted; save(): the file; keep(view): of the page
  constructor({ ask, go, save, keep }) {
    this.rows = [];
    const open = (k) => {
      const [scheme, mechanism, place_m] = this.rows[k] ?? [];
      if (scheme) go({ scheme, mechanism, ...(place_m === null ? {} : { place_m }) });
    };
    const onclick = ({ trace, index }) => {
      const rows = this.figure.data[trace].meta;
      if (rows) open(rows[index]);
    };
    this.texts = h("div", { role: "status" });
    const place = h("div", {});
    this.chart = new ChartBlock({ keep }, place, onclick);
    this.table = new OpenTable(open);
    const file = h("div", { class: "lmdk-choices" }, button("Defences as CSV", save));
    const inside = [this.texts, place, this.table.element, h("p", { class: "lmdk-meaning" }, LEGEND), file];
    this.fold = new Fold("defences", "", ask, ...inside);
    this.details = this.fold.element;
  }

  show(wanted) {
    this.fold.show(wanted);
  }

  draw({ texts, waits, chart, table, go, efficient, best }) {
    this.rows = go;
    fillTexts(this.texts, texts);
    this.table.waits(waits);
    const signs = efficient.map((good, k) => (k === best ? "★ " : "") + (good ? "✓ " : ""));
    this.table.show(table, signs, efficient);
    this.figure = chart.figure;
    this.chart.draw(chart, {});
  }
}
