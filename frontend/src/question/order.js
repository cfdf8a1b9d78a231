// Put in order: a list whose items are dragged by their grips, or moved by arrow buttons or by arrow keys.
import { button, h } from "../page/dom.js";

export class Order {
  constructor(asked, { label, changed }) {
    this.texts = asked.items;
    this.changed = changed;
    this.places = asked.items.map((_, k) => k); // of `items`, the first one first
    this.live = h("p", { class: "lmdk-offscreen", "aria-live": "assertive" });
    this.items = asked.items.map((text, k) => this.item(text, k));
    this.list = h("ol", { class: "lmdk-order", "aria-labelledby": label });
    const [first, last] = asked.ends;
    this.element = h("div", {}, h("p", { class: "lmdk-end" }, `↑ ${first}`), this.list, h("p", { class: "lmdk-end" }, `↓ ${last}`), this.live);
    this.hint = "Drag an item, press its arrows, or use the arrow keys on its grip.";
    this.tries = Number.POSITIVE_INFINITY; // no wrong answer shows the right one
    this.draw();
  }

  item(text, k) {
    const grip = button("≡", () => {}, { class: "lmdk-grip", "aria-label": `${text}: arrow keys move it` });
    const up = button("↑", () => this.move(k, -1), { "aria-label": `${text}: up` });
    const down = button("↓", () => this.move(k, 1), { "aria-label": `${text}: down` });
    const mark = h("span", { class: "lmdk-mark" });
    grip.addEventListener("keydown", (event) => {
      const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!by) return;
      event.preventDefault();
      this.move(k, by);
      grip.focus();
    });
    const words = h("span", { class: "lmdk-itemtext" }, text, mark);
    const element = h("li", {}, grip, words, up, down);
    // a finger on the words scrolls the page
    words.addEventListener("pointerdown", (event) => event.pointerType === "mouse" && this.drag(event, k));
    words.addEventListener("mousedown", (event) => event.preventDefault()); // selects no text
    grip.addEventListener("pointerdown", (event) => this.drag(event, k));
    return { element, grip, up, down, mark };
  }

  move(k, by) {
    const at = this.places.indexOf(k);
    this.put(k, at + by);
    const button = this.items[k][by < 0 ? "up" : "down"];
    if (document.activeElement === document.body) (button.disabled ? this.items[k].grip : button).focus();
  }

  put(k, to) {
    const at = this.places.indexOf(k);
    if (to < 0 || to >= this.places.length || to === at) return;
    this.places.splice(at, 1);
    this.places.splice(to, 0, k);
    this.draw();
    this.live.textContent = `${this.texts[k]}: ${to + 1} of ${this.places.length}`;
    this.changed();
  }

  // Follows the pointer: when it is over another item, the dragged one takes its place.
  drag(event, k) {
    if (event.button !== 0) return;
    const { element, grip } = this.items[k];
    grip.setPointerCapture(event.pointerId);
    element.classList.add("lmdk-dragged");
    const over = ({ clientY }) => {
      const to = this.places.findIndex((other) => {
        const { top, bottom } = this.items[other].element.getBoundingClientRect();
        return clientY >= top && clientY < bottom;
      });
      if (to >= 0) this.put(k, to);
    };
    const end = () => {
      grip.removeEventListener("pointermove", over);
      element.classList.remove("lmdk-dragged");
    };
    grip.addEventListener("pointermove", over);
    for (const name of ["pointerup", "pointercancel"]) grip.addEventListener(name, end, { once: true });
  }

  // The items are moved and not made again, so that the focus and a drag stay with them.
  draw() {
    this.places.forEach((k, at) => {
      const { element, up, down } = this.items[k];
      if (this.list.children[at] !== element) this.settle(element, at);
      up.disabled = at === 0;
      down.disabled = at === this.places.length - 1;
    });
  }

  // A moved element loses the focus and the pointer, so the others are moved around the one that has them.
  settle(element, at) {
    const held = this.items.find((item) => item.element.contains(document.activeElement))?.element;
    if (element !== held || !this.list.contains(held)) return this.list.insertBefore(element, this.list.children[at] ?? null);
    while (this.list.children[at] !== held && [...this.list.children].indexOf(held) > at) held.after(this.list.children[at]);
  }

  given() {
    return [...this.places];
  }

  fits(given) {
    return Array.isArray(given) && given.length === this.texts.length && this.texts.every((_, k) => given.includes(k));
  }

  set(given) {
    this.places = [...given];
    this.draw();
  }

  reveal(answer) {
    this.items.forEach(({ mark }, k) => (mark.textContent = answer.length ? ` (right place: ${answer.indexOf(k) + 1})` : ""));
  }

  clear() {
    this.set(this.texts.map((_, k) => k));
    this.reveal([]);
  }

  said(given) {
    return given.map((k) => this.texts[k]);
  }
}
