// Settings side by side: the cards, each with a small map of what the large one shows for the present setting.
import { h } from "../page/dom.js";
import { SideBySide } from "../page/side_by_side.js";

export class PlaceCards {
  // maps: the library of maps
  constructor(page, maps) {
    this.maps = maps;
    /** @type {any} */
    this.drawing = null;
    this.cards = new SideBySide(page, () => h("div", { class: "lmdk-cardpicture" }, h("canvas", { "aria-hidden": "true" })));
    this.element = this.cards.element;
    this.observer = new ResizeObserver(() => this.recolour()); // also when its tab is opened
    this.observer.observe(this.element);
  }

  show(cards, pinned) {
    this.cards.show(cards, pinned);
    this.recolour();
  }

  // cells: { squares, names }, those of the large map; shown and arrays by the names of cards, in small letters
  draw(cells, shown, arrays) {
    this.drawing = { cells, shown, arrays };
    this.recolour();
  }

  // Once a frame, as the text and the drawings of one change come one after the other.
  recolour() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.paint());
  }

  paint() {
    if (!this.drawing || !this.element.clientWidth) return;
    const { cells, shown, arrays } = this.drawing;
    for (const { name, picture } of this.cards.filled()) {
      const known = shown[name.toLowerCase()];
      picture.firstElementChild.hidden = !known;
      if (known) this.maps.drawSmallCells(picture.firstElementChild, { ...cells, shown: known, values: arrays[name.toLowerCase()] });
    }
  }

  remove() {
    cancelAnimationFrame(this.frame);
    this.observer.disconnect();
  }
}
