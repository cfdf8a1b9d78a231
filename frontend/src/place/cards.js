// Settings side by side: the cards, each with a small map of what the large one shows for the present setting.
import { h } from "../page/dom.js";
import { Pictures, SideBySide } from "../page/side_by_side.js";

export class PlaceCards extends Pictures {
  // maps: the library of maps
  constructor(page, maps) {
    const cards = new SideBySide(page, () => h("div", { class: "lmdk-cardpicture" }, h("canvas", { "aria-hidden": "true" })));
    super(cards.element);
    this.cards = cards;
    this.maps = maps;
    /** @type {any} */
    this.drawing = null;
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

  paint() {
    if (!this.drawing) return;
    const { cells, shown, arrays } = this.drawing;
    for (const { name, picture } of this.cards.filled()) {
      const known = shown[name.toLowerCase()];
      picture.firstElementChild.hidden = !known;
      if (known) this.maps.drawSmallCells(picture.firstElementChild, { ...cells, shown: known, values: arrays[name.toLowerCase()] });
    }
  }
}
