// People as marks in their classes, each in the colour and shape of what an attacker finds about them. Of few people, each has a
// name and walks to its new class; of thousands a class is a heap of marks, and of more a bar. Only where pixels go is computed.
import { h, onSize, svg } from "../page/dom.js";
import { sizeOf } from "../page/theme.js";

const LEFT_OUT = 4;
const SCALES = [2.2, 2, 1.75, 1.5, 1.25, 1.1, 1, 0.9, 0.8, 0.72]; // of marks with names, the largest that fits
const CELL = { wide: 78, high: 58, line: 15, edge: 6, gap: 8, most: 170 };
const PITCHES = Array.from({ length: 30 }, (_, k) => 16 - k / 2); // pixels from mark to mark
const HEIGHTS = [44, 36, 30, 25, 21, 18, 15, 12, 10, 8, 6]; // of bars
const SOME = 60; // people with a mark that is an element of its own

let made = 0;

export class Scene {
  constructor() {
    this.hatch = `lmdk-hatch-${++made}`;
    this.frame = h("div", { class: "lmdk-crowd" });
    this.legend = h("p", { class: "lmdk-legend lmdk-looks" });
    this.element = h("div", {}, this.frame, this.legend);
    this.people = new Map();
    this.marked = new Set();
    this.remove = onSize(this.frame, () => this.paint());
  }

  draw(drawn, arrays) {
    const { finds } = drawn.scene;
    this.legend.replaceChildren(...finds.map(([code, name]) => h("span", {}, sample(code), ` ${name}`)));
    this.now = { ...drawn, ...drawn.scene, ...arrays };
    this.paint();
  }

  // The people, or the classes of a large table, that a step of an attack is about.
  mark(places) {
    this.marked = new Set(places);
    for (const one of this.frame.querySelectorAll("[data-place]")) one.classList.toggle("lmdk-ringed", this.marked.has(Number(one.dataset.place)));
  }

  paint() {
    const { clientWidth: width, clientHeight: height } = this.frame;
    if (!this.now || width < 40 || height < 40) return;
    const size = { wide: width - 16, high: height - 16, scale: sizeOf(this.frame) };
    const root = svg("svg", { width, height, viewBox: `-8 -8 ${width} ${height}`, role: "img", "aria-label": this.now.said });
    const named = this.now.people.length > 0 && this.named(size);
    if (!named) this.people = new Map();
    root.append(...(named || (this.now.found.length ? this.heaps(size) : this.bars(size))));
    this.frame.replaceChildren(root);
    this.mark([...this.marked]);
  }

  // Each class with its rows, followed by those who are left out.
  groups() {
    const { classes, member, finds } = this.now;
    const of = new Map();
    for (const [row, k] of member.entries()) of.has(k) ? of.get(k).push(row) : of.set(k, [row]);
    const out = finds.find(([code]) => code === LEFT_OUT);
    const inside = [...of.keys()].filter((k) => k >= 0).sort((a, b) => a - b);
    const found = inside.map((k) => ({ k, rows: of.get(k), labels: classes[k] ?? [] }));
    return of.has(-1) && out ? [...found, { k: -1, rows: of.get(-1), labels: [out[1]] }] : found;
  }

  named(size) {
    const groups = this.groups();
    const measure = measured(this.frame);
    for (const scale of SCALES) {
      const boxes = groups.map((group) => boxOf(group, scale, size.wide, measure));
      const placed = shelves(boxes, size, CELL.gap * scale, true);
      if (placed) return this.withNames(placed, scale, measure);
    }
    return null;
  }

  withNames(placed, scale, measure) {
    const { people, found } = this.now;
    const before = this.people;
    this.people = new Map();
    const moves = [];
    const boxes = placed.map(({ x, y, wide, high, labels, k }) => {
      const frame = svg("rect", { width: wide, height: high, rx: 8, class: k < 0 ? "lmdk-outbox" : "lmdk-classbox" });
      const lines = labels.map((text, at) =>
        this.text(text, CELL.edge * scale, (at + 0.9) * CELL.line * scale + 3, wide - 2 * CELL.edge * scale, 12.5 * scale, measure),
      );
      return svg("g", { transform: `translate(${x} ${y})` }, frame, ...lines);
    });
    const marks = placed.flatMap(({ x, y, rows, columns, wide, labels }) =>
      rows.map((row, at) => {
        const left = x + (wide - columns * CELL.wide * scale) / 2 + (at % columns) * CELL.wide * scale;
        const top = y + labels.length * CELL.line * scale + 5 * scale + Math.floor(at / columns) * CELL.high * scale;
        const [name, value] = people[row];
        const place = `translate(${left}px, ${top}px) scale(${scale})`;
        const element = svg("g", { "data-place": row, class: "lmdk-someone" }, ...someone(found[row], name, value, measure));
        element.style.transform = before.get(row) ?? place;
        if (before.has(row)) moves.push([element, place]);
        this.people.set(row, place);
        return element;
      }),
    );
    if (moves.length) requestAnimationFrame(() => requestAnimationFrame(() => moves.forEach(([element, place]) => (element.style.transform = place))));
    return [...boxes, ...marks];
  }

  text(words, x, y, wide, size, measure) {
    return svg("text", { x, y, "font-size": size }, fitted(words, wide, size, measure), svg("title", {}, words));
  }

  heaps(size) {
    const { found, classes, people } = this.now;
    const groups = this.groups();
    const heaps = (pitch) => groups.map((group) => heapOf(group, pitch, size.wide));
    const pitch = PITCHES.find((each) => shelves(heaps(each), size, Math.max(1.5, each / 3))) ?? PITCHES.at(-1);
    const placed = shelves(heaps(pitch), { ...size, high: Number.POSITIVE_INFINITY }, Math.max(1.5, pitch / 3));
    const paths = new Map();
    const boxes = [];
    const single = people.length > 0 && people.length <= SOME; // a step marks people, each an element
    for (const { k, x, y, wide, high, rows, columns } of placed) {
      const known = classes[k];
      const place = single || k < 0 ? {} : { "data-place": k };
      if (known)
        boxes.push(
          svg("rect", { x, y, width: wide, height: high, rx: 3, class: "lmdk-heap", ...place }, svg("title", {}, `${known.join(" · ")}: ${rows.length}`)),
        );
      for (const [at, row] of rows.entries()) {
        const [cx, cy] = [x + ((at % columns) + 0.5) * pitch + 1, y + (Math.floor(at / columns) + 0.5) * pitch + 1];
        const d = shape(found[row], cx, cy, pitch * 0.38);
        if (single) boxes.push(svg("path", { d, class: `lmdk-find lmdk-find-${found[row]}`, "data-place": row }));
        else paths.set(found[row], (paths.get(found[row]) ?? "") + d);
      }
    }
    return [...boxes, ...[...paths].map(([code, d]) => svg("path", { d, class: `lmdk-find lmdk-find-${code}` }))];
  }

  bars(size) {
    const { sizes, finding, classes } = this.now;
    const states = finding.length / Math.max(1, sizes.length);
    const total = sizes.reduce((a, b) => a + b, 0);
    const widths = (high) => Array.from(sizes, (people) => Math.max(2, Math.min(size.wide, (people * size.wide * size.high * 0.8) / (total * high))));
    const bars = (high) => widths(high).map((wide, k) => ({ k, wide, high }));
    const high = HEIGHTS.find((each) => shelves(bars(each), size, 3)) ?? HEIGHTS.at(-1);
    const placed = shelves(bars(high), { ...size, high: Number.POSITIVE_INFINITY }, 3);
    const pattern = svg(
      "pattern",
      { id: this.hatch, width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      svg("path", { d: "M0 0V5", class: "lmdk-hatchline" }),
    );
    const found = placed.flatMap(({ k, x, y, wide }) => {
      let at = x;
      const parts = Array.from({ length: states }, (_, code) => code).flatMap((code) => {
        const width = (wide * finding[k * states + code]) / sizes[k];
        const place = { x: at, y, width, height: high };
        at += width;
        if (!width) return [];
        const fill = svg("rect", { ...place, class: `lmdk-find-${code}` });
        return code ? [fill, svg("rect", { ...place, fill: `url(#${this.hatch})` })] : [fill];
      });
      const name = classes[k] ? `${classes[k].join(" · ")}: ${sizes[k]}` : String(sizes[k]);
      return [...parts, svg("rect", { x, y, width: wide, height: high, class: "lmdk-crowdbar", "data-place": k }, svg("title", {}, name))];
    });
    return [svg("defs", {}, pattern), ...found];
  }

  recolour() {
    this.paint(); // letters may have changed size
  }
}

// Blocks in rows as wide as there is room, all of them in the middle; null where they need more height.
function shelves(blocks, { wide, high }, gap, middle = false) {
  const rows = [];
  let [x, y, row] = [0, 0, { blocks: [], wide: 0, high: 0 }];
  for (const block of blocks) {
    if (block.wide > wide + 0.5) return null;
    if (x && x + block.wide > wide) {
      rows.push(row);
      y += row.high + gap;
      [x, row] = [0, { blocks: [], wide: 0, high: 0 }];
    }
    row.blocks.push({ ...block, x, y });
    row.wide = x + block.wide;
    row.high = Math.max(row.high, block.high);
    x += block.wide + gap;
  }
  rows.push(row);
  const left = high - (y + row.high);
  if (left < 0) return null;
  const down = middle ? left / 2 : 0;
  const most = Math.max(...rows.map((one) => one.wide));
  return rows.flatMap(({ blocks: some, wide: used }) =>
    some.map((block) => ({ ...block, x: block.x + (wide - (middle ? used : most)) / 2, y: block.y + down })),
  );
}

function boxOf(group, scale, room, measure) {
  const { rows, labels } = group;
  const most = Math.max(1, Math.floor((room - 2 * CELL.edge * scale) / (CELL.wide * scale)));
  const columns = Math.min(rows.length, most, Math.max(3, Math.ceil(Math.sqrt(2 * rows.length))));
  const text = Math.min(CELL.most * scale, Math.max(0, ...labels.map((label) => measure(label, 12.5 * scale))));
  const wide = Math.max(columns * CELL.wide * scale, text) + 2 * CELL.edge * scale;
  return { ...group, columns, wide, high: (labels.length * CELL.line + Math.ceil(rows.length / columns) * CELL.high + 8) * scale };
}

function heapOf(group, pitch, room) {
  const columns = Math.max(1, Math.min(Math.floor((room - 2) / pitch), Math.ceil(Math.sqrt(1.6 * group.rows.length))));
  return { ...group, columns, wide: columns * pitch + 2, high: Math.ceil(group.rows.length / columns) * pitch + 2 };
}

// A mark with its name, and below it what is to be hidden, in a cell of CELL.
function someone(code, name, value, measure) {
  const middle = CELL.wide / 2;
  const word = (text, y, look) =>
    svg("text", { x: middle, y, "text-anchor": "middle", "font-size": 12, class: look }, fitted(text, CELL.wide - 4, 12, measure), svg("title", {}, text));
  const ring = svg("circle", { cx: middle, cy: 12, r: 13, class: "lmdk-ring" });
  const mark = svg("path", { d: shape(code, middle, 12, 8.5), class: `lmdk-find lmdk-find-${code}` });
  return [ring, mark, word(name, 37, "lmdk-whom"), word(value, 51, "lmdk-what")];
}

function fitted(text, wide, size, measure) {
  if (measure(text, size) <= wide) return text;
  let end = text.length - 1;
  while (end > 1 && measure(`${text.slice(0, end)}…`, size) > wide) end--;
  return `${text.slice(0, end)}…`;
}

function measured(element) {
  const context = document.createElement("canvas").getContext("2d");
  const family = getComputedStyle(element).fontFamily;
  return (text, size) => {
    context.font = `${size}px ${family}`;
    return context.measureText(text).width;
  };
}

function sample(code) {
  return svg(
    "svg",
    { class: "lmdk-shape", viewBox: "0 0 18 18", width: 18, height: 18, "aria-hidden": "true" },
    svg("path", { d: shape(code, 9, 9, 7), class: `lmdk-find lmdk-find-${code}` }),
  );
}

// Hidden, value, record, presence, left out, not attacked: a shape for each, beside its colour.
function shape(code, x, y, r) {
  const round = (by) => `M${x - by} ${y}a${by} ${by} 0 1 0 ${2 * by} 0a${by} ${by} 0 1 0 ${-2 * by} 0Z`;
  const to = (k) => Math.round(k * 100) / 100;
  if (code === 1) return `M${to(x)} ${to(y - r)}L${to(x + r)} ${to(y + 0.8 * r)}H${to(x - r)}Z`;
  if (code === 2) return `M${to(x)} ${to(y - 1.15 * r)}L${to(x + 1.15 * r)} ${to(y)}L${to(x)} ${to(y + 1.15 * r)}L${to(x - 1.15 * r)} ${to(y)}Z`;
  if (code === 3) return `M${to(x - 0.85 * r)} ${to(y - 0.85 * r)}H${to(x + 0.85 * r)}V${to(y + 0.85 * r)}H${to(x - 0.85 * r)}Z`;
  return round(to(code === 5 ? 0.55 * r : r));
}
