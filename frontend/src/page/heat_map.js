// A transition matrix as a heat map, row by row, with the long run of its chain below.
import { blank, paint, sized, write } from "./canvas.js";
import { readable } from "./contrast.js";
import { h, onSize } from "./dom.js";
import { BLACK, PICTURE, WHITE } from "./palette.js";
import { saveButton } from "./save_chart.js";
import { coloursOf, sizeOf } from "./theme.js";

const SIDE = 250; // pixels of the longest matrix
const CELL = 34; // at most
const STRIP = 18; // the long run
const GAP = 8;
const NUMBERS = 6; // up to this many states, every cell has its number
const NAMES = 16; // up to this many states, every row has its name
const PICTURED = 600; // pixels of room that a picture has
const KEY = "Row: a state; column: the state one timestamp later<br>The stronger the colour, the likelier; below: the long run";

export class HeatMap {
  // save({ title, key, canvas }, format): as a picture
  constructor(save) {
    this.canvas = h("canvas", { class: "lmdk-heat", role: "img" });
    const saved = saveButton("the heat map", (format) => save({ title: "Transition matrix", key: KEY, canvas: this.picture() }, format));
    this.element = h("div", { class: "lmdk-heatframe" }, this.canvas, saved);
    this.remove = onSize(this.element, () => this.paint());
  }

  // labels: name of each state; matrix: row by row; longRun: share of each state; text: the same in words
  draw(labels, matrix, longRun, text) {
    this.chain = { labels, matrix, longRun };
    this.canvas.setAttribute("aria-label", `Heat map of the transition matrix. ${text}`);
    this.paint();
  }

  recolour() {
    this.paint();
  }

  paint() {
    const room = this.element.clientWidth;
    if (!this.chain || !room) return;
    const { fontFamily } = getComputedStyle(this.element);
    const context = this.canvas.getContext("2d", { willReadFrequently: true });
    const look = { colour: coloursOf(this.element), family: fontFamily, size: sizeOf(this.element), measure: context };
    drawn(this.chain, room, look, (width, height) => sized(this.canvas, width, height));
  }

  // A canvas of its own in light colours.
  picture() {
    const { fontFamily } = getComputedStyle(this.element);
    const look = { colour: (name) => PICTURE[name], family: fontFamily, size: 1, measure: blank(1, 1) };
    return drawn(this.chain, PICTURED, look, blank).canvas;
  }
}

// What it is drawn on; look: { colour(name), family, size, measure }, the last a context that measures texts; on(width,
// height): the context to draw on
function drawn({ labels, matrix, longRun }, room, { colour, family, size, measure }, on) {
  const m = labels.length;
  const font = `${12 * size}px ${family}`;
  measure.font = font;
  const named = m <= NAMES ? labels : labels.map((label, k) => (k % Math.ceil(m / 8) ? "" : label));
  const widest = Math.max(...[...named, "long run"].map((name) => measure.measureText(name).width));
  const gutter = Math.ceil(Math.min(150, 0.4 * room, widest)) + 8;
  const cell = Math.min(CELL * (m <= NUMBERS ? 1.3 : 1), SIDE / m, (room - gutter) / m);
  const context = on(gutter + m * cell, m * cell + GAP + STRIP);
  const square = (share, row, column, top, tall) => {
    const [x, y] = [gutter + column * cell, top + row * cell];
    const space = m > 40 ? 0 : 1;
    paint(context, { fill: colour("panel") }, x, y, cell - space, tall - space);
    context.globalAlpha = Math.sqrt(share); // so that small probabilities are seen
    paint(context, { fill: colour("regular") }, x, y, cell - space, tall - space);
    context.globalAlpha = 1;
    if (m > NUMBERS) return;
    const { a: ratio } = context.getTransform();
    const { data } = context.getImageData(Math.round((x + 3) * ratio), Math.round((y + 3) * ratio), 1, 1);
    const look = { font, textBaseline: "middle", textAlign: "center", fillStyle: readable(data, [BLACK, WHITE]) };
    write(context, share.toFixed(2), x + cell / 2, y + tall / 2, look);
  };
  for (let k = 0; k < m * m; k++) square(matrix[k], Math.floor(k / m), k % m, 0, cell);
  for (let k = 0; k < m; k++) square(longRun[k], 0, k, m * cell + GAP, STRIP);
  const look = { font, textBaseline: "middle", textAlign: "right", fillStyle: colour("quiet") };
  named.forEach((name, k) => write(context, name, gutter - 6, (k + 0.5) * cell, look, gutter - 8));
  write(context, "long run", gutter - 6, m * cell + GAP + STRIP / 2, look, gutter - 8);
  return context;
}
