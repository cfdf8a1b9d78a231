// Settings side by side: the cards that Python defines, each with a small map of the track, or a small chart of a series. What
// is drawn on them is the release that is on the page: the present one, the pinned one, and that of the proposed scheme.
import { CardsBlock } from "../page/blocks.js";
import { h } from "../page/dom.js";
import { Pictures } from "../page/side_by_side.js";
import { drawSmallSeries } from "./small_series.js";

export class Cards extends Pictures {
  // store: of the page; maps(): the library of maps; act: { use(operation), save() }
  constructor(store, maps, act) {
    const block = new CardsBlock(act.use, () => h("div", { class: "lmdk-cardpicture" }, h("canvas", { "aria-hidden": "true" })));
    const file = h("div", { class: "lmdk-choices" }, h("button", { type: "button", onclick: act.save }, "Cards as CSV"));
    super(h("div", { class: "lmdk-settingcards" }, block.element, file));
    this.block = block;
    this.store = store;
    this.maps = maps;
    /** @type {any} */
    this.proposed = { circles: {}, arrays: {} };
    /** @type {any} */
    this.circle = null; // of the present setting
  }

  // cards: null while they are not shown
  show(cards) {
    this.element.hidden = !cards;
    if (!cards) return;
    this.block.show(cards);
    this.recolour();
  }

  setProposed({ circles }, arrays) {
    this.proposed = { circles, arrays };
    this.recolour();
  }

  paint() {
    const { track, arrays } = this.store;
    if (!track || !arrays.budgets) return;
    const { circles, arrays: proposed } = this.proposed;
    const pinned = { latitude: arrays.pinned_latitude, longitude: arrays.pinned_longitude, values: arrays.pinned_values };
    const released = { Now: arrays, Pinned: pinned, Proposed: proposed };
    for (const { name, picture, element } of this.block.cards) {
      const one = released[name.textContent];
      if (element.classList.contains("lmdk-emptycard") || !(one?.latitude ?? one?.values)) continue;
      const canvas = picture.firstElementChild;
      if (track.series) drawSmallSeries(canvas, this.store, one.values);
      else this.map(canvas, one, name.textContent === "Now" ? this.circle : circles[name.textContent]);
    }
  }

  map(canvas, { latitude, longitude }, circle = null) {
    const { latitudes, longitudes, landmarks } = this.store;
    this.maps().drawSmallMap(canvas, { latitudes, longitudes, released: [latitude, longitude], landmarks, circle });
  }
}
