// A transition matrix as a heat map, row by row, with the long run of its chain beneath.
import { readable } from "./contrast.js";
import { h } from "./dom.js";

const SIDE = 250; // pixels of the longest matrix
const CELL = 34; // at most
const STRIP = 18; // the long run
const GAP = 8;
const NUMBERS = 6; // up to so many states every cell has its number
const NAMES = 16; // up to so many states every row has its name

export class HeatMap {
  constructor() {
    this.canvas = h("canvas", { class: "lmdk-heat", role: "img" });
    this.element = h("div", {}, this.canvas);
    this.observer = new ResizeObserver(() => this.paint());
    this.observer.observe(this.element);
  }

  // labels: name of each state; matrix: row by row; longRun: share of each state; text: the same in words
  draw(labels, matrix, longRun, text) {
    this.chain = { labels, matrix, longRun };
    this.canvas.setAttribute("aria-label", `Heat map of the transition matrix. ${text}`);
    this.paint();
  }

  paint() {
    const room = this.element.clientWidth;
    if (!this.chain || !room) return;
    const { labels, matrix, longRun } = this.chain;
    const m = labels.length;
    const style = getComputedStyle(this.element);
    const colour = (name) => style.getPropertyValue(`--lmdk-${name}`).trim();
    const context = this.canvas.getContext("2d", { willReadFrequently: true });
    const font = `12px ${style.fontFamily}`;
    context.font = font;
    const named = m <= NAMES ? labels : labels.map((label, k) => (k % Math.ceil(m / 8) ? "" : label));
    const most = Math.min(150, 0.4 * room);
    const gutter = Math.ceil(Math.min(most, Math.max(...[...named, "long run"].map((name) => context.measureText(name).width)))) + 8;
    const cell = Math.min(CELL * (m <= NUMBERS ? 1.3 : 1), SIDE / m, (room - gutter) / m);
    const [width, height] = [gutter + m * cell, m * cell + GAP + STRIP];
    const ratio = window.devicePixelRatio || 1;
    Object.assign(this.canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
    Object.assign(this.canvas.style, { width: `${width}px`, height: `${height}px` });
    context.scale(ratio, ratio);
    context.font = font;
    context.textBaseline = "middle";
    const space = m > 40 ? 0 : 1;
    const square = (share, row, column, top, tall) => {
      const [x, y] = [gutter + column * cell, top + row * cell];
      context.globalAlpha = 1;
      context.fillStyle = colour("panel");
      context.fillRect(x, y, cell - space, tall - space);
      context.fillStyle = colour("regular");
      context.globalAlpha = Math.sqrt(share); // so that small probabilities are seen
      context.fillRect(x, y, cell - space, tall - space);
      context.globalAlpha = 1;
      if (m > NUMBERS) return;
      context.fillStyle = readable(context.getImageData(Math.round((x + 3) * ratio), Math.round((y + 3) * ratio), 1, 1).data, ["#000000", "#ffffff"]);
      context.textAlign = "center";
      context.fillText(share.toFixed(2), x + cell / 2, y + tall / 2);
    };
    for (let k = 0; k < m * m; k++) square(matrix[k], Math.floor(k / m), k % m, 0, cell);
    for (let k = 0; k < m; k++) square(longRun[k], 0, k, m * cell + GAP, STRIP);
    context.fillStyle = colour("quiet");
    context.textAlign = "right";
    named.forEach((name, k) => context.fillText(name, gutter - 6, (k + 0.5) * cell, gutter - 8));
    context.fillText("long run", gutter - 6, m * cell + GAP + STRIP / 2, gutter - 8);
  }

  remove() {
    this.observer.disconnect();
  }
}
