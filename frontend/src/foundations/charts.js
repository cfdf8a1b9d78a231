// A part of the page that is made of charts and a table: the kernel says what each shows.
import { Chart } from "../page/chart.js";
import { h, table, tableRow } from "../page/dom.js";
import { panel } from "./panel.js";

export class ChartPart {
  // charts: { name: title }, those named in `above` beside the controls; heads: of the table; clicks: { name: act(point) }
  constructor(page, { first, views }, { charts, above, heads, title, clicks = {} }) {
    this.page = page;
    this.rows = h("tbody");
    this.places = Object.fromEntries(Object.entries(charts).map(([name, heading]) => [name, panel(heading)]));
    for (const [name, place] of Object.entries(this.places)) (above.includes(name) ? first : views).append(place);
    const below = Object.keys(charts).filter((name) => !above.includes(name));
    if (below.length === 1) this.places[below[0]].classList.add("lmdk-allcolumns");
    this.table = panel(title, table(title, heads, this.rows));
    this.table.classList.add("lmdk-allcolumns");
    views.append(this.table);
    this.charts = page.library("plotly.js").then(({ default: Plotly }) => {
      const made = ([name, heading]) => [name, page.keep(new Chart(this.places[name], Plotly, { label: heading, onclick: clicks[name] ?? null }))];
      return Object.fromEntries(Object.entries(charts).map(made));
    });
  }

  tell({ rows }) {
    this.rows.replaceChildren(...rows.map((row) => tableRow(row)));
  }

  async draw({ figures }, arrays) {
    const charts = await this.charts;
    await Promise.all(Object.entries(figures).map(([name, { figure, summary }]) => charts[name].draw(figure, arrays, summary)));
  }
}
