// Settings side by side in a tab: the cards that Python defines, what pins another setting, and their file.
import { CardsBlock } from "./blocks.js";
import { button, h, onSize } from "./dom.js";

// The pictures on the cards in an element, painted once a frame: the text and the drawings of one change come one after the
// other. A class that extends it has `paint`.
export class Pictures {
  constructor(element) {
    this.element = element;
    this.isOpen = false; // told by what observes its size, as asking for it lays out the page
    this.unsized = onSize(element, ([{ contentRect }]) => {
      this.isOpen = contentRect.width > 0;
      this.recolour();
    });
  }

  recolour() {
    if (!this.isOpen) return;
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.paint());
  }

  paint() {}

  remove() {
    cancelAnimationFrame(this.frame);
    this.unsized();
  }
}

export class SideBySide {
  // picture(): an element that the page draws in, on each card
  constructor(page, picture) {
    this.block = new CardsBlock((operation) => page.pump.request(operation), picture);
    this.pinning = [button("Pin these instead", () => page.pump.request({ op: "pin" })), button("Unpin", () => page.ask("pinned", null))];
    const save = button("Cards as CSV", () => page.saver.save("cards", "Cards as CSV"));
    this.element = h("div", { class: "lmdk-settingcards" }, this.block.element, h("div", { class: "lmdk-choices" }, ...this.pinning, save));
  }

  show(cards, pinned) {
    this.block.show(cards);
    for (const each of this.pinning) each.hidden = !pinned;
  }

  // The name and the picture of each card that is filled.
  filled() {
    const cards = this.block.cards.filter(({ element }) => !element.classList.contains("lmdk-emptycard"));
    return cards.map(({ name, picture }) => ({ name: name.textContent, picture }));
  }
}
