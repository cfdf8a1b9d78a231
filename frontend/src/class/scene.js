// What a question is about, on the board and on phones: the lines and tables from Python.
import { TableBlock } from "../page/blocks.js";
import { h } from "../page/dom.js";

export function tabled(table) {
  const drawn = new TableBlock();
  drawn.show(table);
  return drawn.element;
}

export function scene(blocks) {
  if (!blocks?.length) return [];
  const parts = blocks.map(({ kind, shown }) => (kind === "table" ? tabled(shown) : h("p", {}, shown)));
  return [h("div", { class: "class-scene" }, ...parts)];
}
