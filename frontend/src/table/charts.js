// A part of the page that consists of charts and a table: the kernel gives the content and name of each.
import { ChartBlock, part, TableBlock } from "../page/blocks.js";
import { sizeOf } from "../page/theme.js";

const AROUND = 348; // pixels of a page above and below a picture
const LEAST = 250;
const NARROW = 760; // pixels of a page on which the slider is below the picture

// A table in a tab.
export function measures(panel) {
  const place = panel.appendChild(part());
  place.classList.add("lmdk-measures");
  return new TableBlock(place);
}

export class ChartPart {
  // picture, beside: names of charts; tabs: names of charts with the tab of each; table: its tab; clicks: { name: act(point) }
  constructor(page, { picture, beside, panels }, { picture: first, beside: next, tabs, table, clicks = {} }) {
    this.page = page;
    this.first = [...first, ...next]; // their words are in a tab
    const homes = { ...Object.fromEntries(first.map((name) => [name, picture])), ...Object.fromEntries(next.map((name) => [name, beside])) };
    for (const [name, tab] of Object.entries(tabs)) homes[name] = panels[tab];
    this.charts = Object.fromEntries(Object.entries(homes).map(([name, home]) => [name, new ChartBlock(page, home.appendChild(part()), clicks[name])]));
    this.table = measures(panels[table]);
    const resized = () => this.drawn && this.draw(...this.drawn);
    window.addEventListener("resize", resized);
    page.keep({ remove: () => window.removeEventListener("resize", resized) });
  }

  tell({ table }) {
    this.table.show(table);
  }

  words({ figures }) {
    return this.first.map((name) => figures[name].summary).join(" ");
  }

  async draw({ figures }, arrays) {
    this.drawn = [{ figures }, arrays];
    const high = roomy(this.page.root);
    const drawn = (name, chart) => (this.first.includes(name) ? higher(chart, high) : chart);
    await Promise.all(Object.entries(figures).map(([name, chart]) => this.charts[name].draw(drawn(name, chart), arrays)));
  }
}

// As high as the page has room for beside the answers; where it is narrow low, so that the slider is in view.
export const roomy = (root) => (root.clientWidth <= NARROW ? LEAST : Math.max(LEAST, window.innerHeight - AROUND * sizeOf(root)));

export const higher = (chart, height) => ({ ...chart, figure: { ...chart.figure, layout: { ...chart.figure.layout, height } } });
