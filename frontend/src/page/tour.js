// A tour of a page: a card next to one part after another, which can be tried meanwhile. It covers nothing else,
// keeps the focus where the user puts it, and ends with Escape. Newcomers are told of it once, by its button.
import { addStyle, button, h, recalled, remember, setText } from "./dom.js";
import css from "./tour.css";

const OFFERED = "lmdk-tour"; // in the browser's store: "1" once it was offered
const NARROW = 700; // pixels: below, the card lies at the bottom edge
const GAP = 12; // pixels between a part and its card
const EDGE = 8; // pixels between the card and the edge of the window

export class Tour {
  // opener: the button of the tour; steps: [{ part, title, text }]; partOf(name): { element, control }
  constructor(root, opener, steps, partOf) {
    this.opener = opener;
    this.menu = opener.closest("details");
    this.steps = steps;
    this.partOf = partOf;
    this.step = -1;
    const id = `lmdk-tour-${Math.random().toString(36).slice(2)}`;
    this.count = h("p", { class: "lmdk-meaning" });
    this.title = h("h2", { id });
    this.text = h("p", { id: `${id}-text` });
    this.back = button("Back", () => this.go(this.step - 1));
    this.next = button("", () => this.go(this.step + 1));
    this.reach = button("Go there", () => this.control().focus(), { title: "Put the focus on this part of the page" });
    const end = button("End", () => this.end(), { title: "End the tour (Escape)" });
    const look = { class: "lmdk-tour", role: "dialog", "aria-labelledby": id, "aria-describedby": `${id}-text`, tabindex: "-1", popover: "manual" };
    const buttons = h("div", { class: "lmdk-choices" }, this.back, this.next, this.reach, end);
    this.card = h("section", look, this.count, this.title, this.text, buttons);
    addStyle(root, css, "tour");
    this.stop = new AbortController();
    this.listen();
    this.offer();
  }

  listen() {
    const on = (target, type, act, options = {}) => target.addEventListener(type, act, { signal: this.stop.signal, ...options });
    const follow = () => this.step >= 0 && this.place();
    on(this.opener, "click", () => {
      this.menu.open = false;
      if (this.step < 0) this.go(0);
      else this.end();
    });
    on(window, "scroll", follow, { capture: true, passive: true });
    on(window, "resize", follow);
    // unless Escape closes something smaller: a tip, a menu
    on(
      document,
      "keydown",
      (event) => event.key === "Escape" && this.step >= 0 && !event.defaultPrevented && !event.target.closest?.(".lmdk-menu") && this.end(),
    );
    this.sizes = new ResizeObserver(follow);
  }

  offer() {
    this.opener.hidden = false;
    const known = recalled(OFFERED) === "1"; // never, where the browser keeps nothing
    this.newcomer = h("span", { class: "lmdk-iconword" }, "New here?");
    if (!known) this.menu.firstChild.append(this.newcomer);
    this.opener.ariaPressed = "false";
    this.offers(!known);
    remember(OFFERED, "1");
  }

  // Whether the button says so: a dashboard then leaves it more room.
  offers(on) {
    this.menu.firstChild.classList.toggle("lmdk-offered", on);
    const dashboard = this.menu.closest(".lmdk-dashboard");
    dashboard?.classList.toggle("lmdk-offers", dashboard.querySelector(".lmdk-offered") !== null);
  }

  go(step) {
    if (step >= this.steps.length) return this.end();
    this.leave();
    this.step = step;
    const { part, title, text } = this.steps[step];
    const last = step === this.steps.length - 1;
    this.opener.ariaPressed = "true";
    this.newcomer.remove();
    this.offers(false);
    setText(this.count, `${step + 1} of ${this.steps.length}`);
    setText(this.title, title);
    setText(this.text, text);
    setText(this.next, last ? "Done" : "Next");
    this.back.disabled = step === 0;
    this.part = this.shown(part);
    this.reach.hidden = !this.control();
    this.part.classList.add("lmdk-toured");
    this.part.after(this.card); // so that Tab leads from the part to its card and back
    this.card.showPopover?.();
    this.sizes.observe(this.part);
    const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    const narrow = document.documentElement.clientWidth < NARROW;
    this.part.scrollIntoView({ block: narrow ? "start" : "nearest", behavior: still ? "auto" : "smooth" });
    this.place();
    this.card.focus({ preventScroll: true });
  }

  // The part of the page, or all controls if it is missing: some schemes have no epsilon.
  shown(name) {
    const { element } = this.partOf(name);
    return element?.getClientRects().length ? element : this.partOf("controls").element;
  }

  control() {
    const { element, control } = this.partOf(this.steps[this.step].part);
    const found = control ?? element.querySelector("button:not(:disabled), [tabindex='0'], summary, input, select");
    return this.part === element && found !== null ? found : null;
  }

  // To the right of its part, to the left, below or above, wherever there is room; in narrow windows at the bottom.
  place() {
    const { clientWidth, clientHeight } = document.documentElement;
    if (clientWidth < NARROW) return this.card.removeAttribute("style");
    const { left, top, right, bottom } = this.part.getBoundingClientRect();
    const [width, height] = [this.card.offsetWidth, this.card.offsetHeight];
    const [farthest, lowest] = [clientWidth - EDGE - width, clientHeight - EDGE - height];
    const [x, y] = [Math.max(EDGE, Math.min(left, farthest)), Math.max(EDGE, Math.min(top, lowest))];
    const places = [
      [right + GAP, y, right + GAP <= farthest],
      [left - GAP - width, y, left - GAP - width >= EDGE],
      [x, bottom + GAP, bottom + GAP <= lowest && bottom > 0],
      [x, top - GAP - height, top - GAP - height >= EDGE],
      [farthest, lowest, true],
    ];
    const [atX, atY] = places.find(([, , fits]) => fits);
    Object.assign(this.card.style, { left: `${atX}px`, top: `${atY}px` });
  }

  leave() {
    this.sizes.disconnect();
    this.part?.classList.remove("lmdk-toured");
    if (this.card.isConnected) this.card.hidePopover?.();
  }

  end() {
    const focused = this.card.contains(document.activeElement);
    this.leave();
    this.card.remove();
    this.step = -1;
    this.opener.ariaPressed = "false";
    if (focused) this.menu.firstChild.focus();
  }

  remove() {
    this.stop.abort();
    this.leave();
    this.card.remove();
  }
}
