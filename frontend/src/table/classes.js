// The classes of a published table. Up to some sixty people each has a mark, with a colour and a shape for the hidden value,
// and walks to its new class when the classes change; of more people a class is a block, sized by its people.
import { h, setText, svg } from "../page/dom.js";

const SHAPES = [
  "M8 1a7 7 0 1 0 .01 0Z",
  "M2 2h12v12H2Z",
  "M8 1 15 14.5H1Z",
  "M8 0 16 8 8 16 0 8Z",
  "M5 1h6v4h4v6h-4v4H5v-4H1V5h4Z",
  "M1 1.5h14L8 15Z",
  "M4 1h8l4 7-4 7H4L0 8Z",
  "M8 0l2 5.6 6 .1-4.8 3.6L13 15l-5-3.4L3 15l1.800-5.700L0 5.700l6-.1Z",
  "M1 5h14v6H1Z",
];
const WALK = 450; // milliseconds
const ROWS = 9; // rows of blocks, where no class is larger than a row
const THIN = 3; // pixels of the smallest block

export class Classes {
  constructor() {
    this.board = h("div", { class: "lmdk-classes" });
    this.legend = h("p", { class: "lmdk-legend lmdk-looks" });
    this.words = h("figcaption", { class: "lmdk-summary", "data-lmdk": "picture" });
    this.element = h("figure", { class: "lmdk-figure" }, this.legend, this.board, this.words);
    this.people = new Map();
  }

  draw(drawn, arrays) {
    const { legend, hidden, summary } = drawn;
    setText(this.words, summary);
    const looks = legend.map((name, k) => h("span", {}, drawn.people.length ? mark(k) : swatch(k), ` ${name}`));
    this.legend.replaceChildren(h("b", {}, `${hidden}: `), ...looks);
    if (drawn.people.length) this.drawPeople(drawn, arrays);
    else this.drawBlocks(drawn, arrays);
  }

  drawPeople({ classes, people, hidden }, { of_row: ofRow, looks, sizes }) {
    const before = new Map([...this.people].map(([name, element]) => [name, element.getBoundingClientRect()]));
    this.board.className = "lmdk-classes lmdk-few";
    this.board.removeAttribute("role");
    this.board.removeAttribute("aria-label");
    const boxes = classes.map((labels, k) => box(labels.join(" · "), sizes[k] === 1 ? "one person" : `${sizes[k]} people`));
    const out = box("left out", "");
    this.people = new Map();
    this.marks = people.map(([name, value], row) => {
      const element = h("li", { class: "lmdk-person", title: `${name}: ${hidden} ${value}` }, mark(looks[row]), h("span", {}, name));
      element.append(h("span", { class: "lmdk-offscreen" }, `: ${value}`));
      (boxes[ofRow[row]] ?? out).list.append(element);
      this.people.set(name, element);
      return element;
    });
    this.board.replaceChildren(...[...boxes, out].filter(({ list }) => list.children.length).map(({ element }) => element));
    for (const [name, element] of this.people) walk(element, before.get(name));
  }

  drawBlocks({ classes, legend, summary }, { sizes, counts }) {
    this.people = new Map();
    this.board.className = "lmdk-classes lmdk-many";
    this.board.setAttribute("role", "img");
    this.board.setAttribute("aria-label", summary);
    const total = sizes.reduce((a, b) => a + b, 0);
    const row = Math.max(total / ROWS, ...sizes); // people in a full row
    const m = legend.length;
    this.marks = Array.from(sizes, (size, k) => {
      const parts = legend.map((_, v) => h("span", { class: `lmdk-look-${v}`, style: `flex-grow:${counts[k * m + v]}` }));
      const title = `${(classes[k] ?? ["all smaller classes"]).join(" · ")}: ${size.toLocaleString("en")}`;
      const wide = (100 * size) / row;
      const shown = parts.filter((_, v) => counts[k * m + v]);
      return h("div", { class: "lmdk-block", title, style: `width:max(${wide}%, ${THIN}px)` }, ...shown);
    });
    this.board.replaceChildren(...this.marks);
  }

  // Shows whom a step of an attack is about; the others fade.
  mark(places) {
    const some = new Set(places);
    this.board.classList.toggle("lmdk-marking", some.size > 0);
    (this.marks ?? []).forEach((element, k) => element.classList.toggle("lmdk-marked", some.has(k)));
  }
}

function box(title, size) {
  const list = h("ul", { "aria-label": title });
  return { list, element: h("div", { class: "lmdk-class" }, h("div", { class: "lmdk-classname" }, h("b", {}, title), size ? ` ${size}` : ""), list) };
}

// From where it stood before to where it stands now.
function walk(element, before) {
  if (!before || window.matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const now = element.getBoundingClientRect();
  const [x, y] = [before.left - now.left, before.top - now.top];
  if (x || y) element.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration: WALK, easing: "ease-in-out" });
}

function mark(look) {
  const frame = { class: `lmdk-shape lmdk-fill-${look}`, viewBox: "-1 -1 18 18", width: "18", height: "18", "aria-hidden": "true" };
  return svg("svg", frame, svg("path", { d: SHAPES[look] }));
}

const swatch = (look) => h("span", { class: `lmdk-looksample lmdk-look-${look}`, "aria-hidden": "true" });
