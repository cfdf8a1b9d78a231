// Names on the map: of timestamps beside their marks, of places where there is room. None lies over a point that can be
// clicked, nor under one, where there is room elsewhere; none lies over another name: the names of landmarks come first.
import { write } from "../page/canvas.js";

// style: such as "bold"; size: how much larger than usual the letters are
export const FONT = (style, pixels, size = 1) => `${style} ${pixels * size}px system-ui, sans-serif`;
const BLOCK = 4; // pixels

// The occupied part of the map, in blocks of a few pixels.
export class Taken {
  constructor({ x, y }, blocks = null) {
    this.columns = Math.ceil(x / BLOCK);
    this.rows = Math.ceil(y / BLOCK);
    this.blocks = blocks?.slice() ?? new Uint8Array(Math.max(0, this.columns * this.rows));
  }

  add(left, top, right, bottom) {
    const [from, to] = within(left, right, this.columns);
    const [first, last] = within(top, bottom, this.rows);
    for (let row = first; row < last; row++) this.blocks.fill(1, row * this.columns + from, row * this.columns + to);
  }

  free(left, top, right, bottom) {
    return this.count(left, top, right, bottom) === 0;
  }

  // How many blocks of a box are taken, as far as the box lies on the map.
  count(left, top, right, bottom) {
    const [from, to] = within(left, right, this.columns);
    const [first, last] = within(top, bottom, this.rows);
    let taken = 0;
    for (let row = first; row < last; row++) {
      for (let k = row * this.columns + from; k < row * this.columns + to; k++) taken += this.blocks[k];
    }
    return taken;
  }
}

// The first block of a stretch in pixels, and the one after its last, of this many.
const within = (low, high, most) => [Math.floor(low / BLOCK), Math.ceil(high / BLOCK)].map((k) => Math.max(0, Math.min(most, k)));

// Where a text may stand beside a mark of a radius: left and top, the best place first.
function spots(x, y, width, radius, high) {
  const around = (gap) => {
    const [right, left, middle] = [x + gap, x - width - gap, x - width / 2];
    const [above, below] = [y - gap + 6 - high, y + gap - 7];
    const sides = [right, left].map((from) => [from, y - high / 2 - 1]);
    return [...[above, below].flatMap((top) => [right, left].map((from) => [from, top])), ...sides, [middle, above - 5], [middle, below + 5]];
  };
  return [...around(radius + 4), ...around(radius + 11)];
}

// The left and the top of a text next to a mark, where the map is free; nothing if it is free nowhere.
export function spotBeside([x, y], { size, width, height, radius }, taken) {
  const inside = (left, top) => left > 2 && left + width < size.x - 2 && top > 2 && top + height < size.y - 14;
  const free = (left, top) => !taken || taken.free(left - 2, top, left + width + 2, top + height);
  return spots(x, y, width, radius, height).find(([left, top]) => inside(left, top) && free(left, top));
}

// Writes a name next to a mark where there is nothing yet. With `over`, it may cover points, but no other name.
function writeBeside(context, place, text, { taken, size, radius, look, over = null }) {
  context.font = look.font;
  const width = context.measureText(text).width;
  const height = look.high;
  const spot = (blocks) => spotBeside(place, { size, width, height, radius }, blocks);
  const found = spot(taken) ?? (over && spot(over));
  if (!found) return;
  const [left, top] = found;
  for (const blocks of [taken, over]) blocks?.add(left - 2, top, left + width + 2, top + height);
  write(context, text, left, top + (11 / 14) * height, look);
}

// Gives what is taken then. reach: pixels around each point of the track that stay free.
// isShown: whether a timestamp is one of those that are drawn.
export function writeNames(context, view, { truth, names, places, landmarks, degrees, colours, size: larger, isShown = (_index) => true }, reach) {
  const { at, size } = view;
  const [taken, over] = [new Taken(size), new Taken(size)];
  for (const [left, top, width] of degrees) for (const blocks of [taken, over]) blocks.add(left, top, left + width, top + 12);
  const keep = (i, r) => {
    const [x, y] = at(truth, i);
    taken.add(x - r, y - r, x + r, y + r);
  };
  for (let i = 0; i < truth.x.length; i++) if (isShown(i)) keep(i, reach);
  for (const i of landmarks) if (isShown(i)) keep(i, 10);
  const look = (fillStyle, style) => ({ fillStyle, strokeStyle: colours.paper, font: FONT(style, 12, larger), high: 14 * larger });
  const bold = look(colours.ink, "bold");
  const marked = new Set(landmarks);
  const first = [...names.keys()].filter(isShown).sort((i, k) => Number(marked.has(k)) - Number(marked.has(i))); // landmarks before others
  for (const i of first) writeBeside(context, at(truth, i), names[i], { taken, size, radius: 6, look: bold, over });
  const italic = look(colours.quiet, "italic");
  places.text.forEach((text, i) => {
    const [x, y] = at(places, i);
    context.fillStyle = colours.quiet;
    context.fillRect(x - 2, y - 2, 4, 4);
    writeBeside(context, [x, y], text, { taken, size, radius: 3, look: italic });
  });
  return taken;
}
