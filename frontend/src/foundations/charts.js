// A part of the page that is made of charts and a table: the kernel says what each shows and is called.
import { ChartBlock, part, TableBlock } from "../page/blocks.js";

// The table of a part, as wide as the page.
export function measures(views) {
  const place = views.appendChild(part());
  place.classList.add("lmdk-allcolumns", "lmdk-measures");
  return new TableBlock(place);
}

export class ChartPart {
  // above: names of the charts beside the controls, below: of the others; clicks: { name: act(point) }
  constructor(page, { first, views }, { above = [], below, clicks = {} }) {
    this.page = page;
    const places = Object.fromEntries([...above, ...below].map((name) => [name, part()]));
    first.append(...above.map((name) => places[name]));
    views.append(...below.map((name) => places[name]));
    if (below.length % 2) places[below.at(-1)].classList.add("lmdk-allcolumns");
    this.table = measures(views);
    this.charts = Object.fromEntries(Object.entries(places).map(([name, place]) => [name, new ChartBlock(page, place, clicks[name])]));
  }

  tell({ table }) {
    this.table.show(table);
  }

  async draw({ figures }, arrays) {
    await Promise.all(Object.entries(figures).map(([name, chart]) => this.charts[name].draw(chart, arrays)));
  }
}
