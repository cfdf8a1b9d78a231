// The list of timestamps: for a screen reader and a keyboard what the map is for a pointer, with the numbers of every
// panel as text. Only the rows in sight exist, so a hundred thousand timestamps cost nothing.
import { h, onSize, setAttributes, setText } from "../page/dom.js";
import { amount, bound, clock, day } from "../page/format.js";
import { sizeOf } from "../page/theme.js";

const ROW = 30; // pixels of letters of the usual size
const MARKS = { landmark: "◆", dummy: "◇", regular: "○" };

export class TimestampList {
  constructor(element, store, act) {
    this.store = store;
    this.act = act;
    this.high = ROW;
    this.rows = h("div", { class: "lmdk-rows", role: "presentation" });
    this.box = h("div", { class: "lmdk-list", role: "listbox", tabindex: "0", "aria-label": "Timestamps", "aria-multiselectable": "true" }, this.rows);
    this.id = `lmdk-${Math.random().toString(36).slice(2)}`;
    this.head = h("div", { class: "lmdk-listhead" }, ...["timestamp", "ε", "loss", "error"].map((t) => h("span", {}, t)));
    element.append(this.head, this.box);
    this.inSight = { top: 0, high: 0 }; // pixels; asked for at every move, they would lay out the page
    this.box.addEventListener("scroll", () => this.sight());
    const at = (event) => Number(event.target.closest("[data-index]")?.dataset.index ?? -1);
    this.box.addEventListener("click", (event) => at(event) >= 0 && act.toggle(at(event)));
    this.box.addEventListener("pointermove", (event) => at(event) >= 0 && event.pointerType === "mouse" && act.hover(at(event)));
    this.box.addEventListener("pointerleave", () => act.hover(-1));
    this.box.addEventListener("keydown", (event) => this.key(event));
    this.remove = onSize(this.box, () => this.recolour());
  }

  setZone(zone) {
    setText(this.head.firstChild, `timestamp (${zone})`);
  }

  key(event) {
    const [from, to] = this.store.shown();
    const now = this.store.hovered;
    const go = { ArrowDown: now + 1, ArrowUp: now - 1, PageDown: now + 10, PageUp: now - 10, Home: from, End: to };
    if (event.key in go) {
      const next = Math.max(from, Math.min(to, go[event.key]));
      this.act.hover(next);
      const top = (next - from) * this.high;
      if (top < this.box.scrollTop) this.box.scrollTop = top;
      if (top + this.high > this.box.scrollTop + this.box.clientHeight) this.box.scrollTop = top + this.high - this.box.clientHeight;
    } else if ((event.key === " " || event.key === "Enter") && now >= 0) this.act.toggle(now);
    else return;
    event.preventDefault();
  }

  recolour() {
    this.high = ROW * sizeOf(this.box);
    this.sight();
  }

  sight() {
    this.inSight = { top: this.box.scrollTop, high: this.box.clientHeight };
    this.draw();
  }

  draw() {
    const { track } = this.store;
    if (!track) return;
    const [from, to] = this.store.shown();
    this.rows.style.height = `${(to - from + 1) * this.high}px`;
    const { top, high } = this.inSight;
    const first = from + Math.max(0, Math.floor(top / this.high) - 4);
    const last = Math.min(to, from + Math.ceil((top + high) / this.high) + 4);
    const wanted = Math.max(0, last - first + 1);
    while (this.rows.children.length < wanted) this.rows.append(newRow());
    while (this.rows.children.length > wanted) this.rows.lastChild.remove();
    for (let k = 0; k < wanted; k++) this.fill(this.rows.children[k], first + k);
    this.hovered();
  }

  fill(row, index) {
    const { track, arrays } = this.store;
    const kind = this.store.kind(index);
    const name = this.store.name(index);
    const time = clock(track.time[index]);
    const number = (values, written) => (values ? written(values[index]) : "");
    const [epsilon, loss, error] = [number(arrays.budgets, amount), number(arrays.total, bound), number(arrays.error_m, this.store.write)];
    [MARKS[kind], `${name} ${time}`, epsilon, loss, error].forEach((text, k) => setText(row.children[k], text));
    const numbers = `budget ${epsilon}, ${this.store.loss} ${loss}, error ${error}`;
    row.style.top = `${(index - this.store.shown()[0]) * this.high}px`;
    setAttributes(row, {
      id: `${this.id}-${index}`,
      "data-index": index,
      title: `${day(track.time[index])} ${time} (${track.zone})`,
      "aria-selected": kind === "landmark",
      "aria-posinset": index + 1,
      "aria-setsize": track.n,
      "aria-label": `${name}, ${time} (${track.zone}), ${kind}, ${numbers}`,
    });
  }

  hovered() {
    for (const row of this.rows.children) row.classList.toggle("lmdk-hovered", Number(row.dataset.index) === this.store.hovered);
    const active = this.store.hovered >= 0 ? document.getElementById(`${this.id}-${this.store.hovered}`) : null;
    if (active) this.box.setAttribute("aria-activedescendant", active.id);
    else this.box.removeAttribute("aria-activedescendant");
  }
}

function newRow() {
  return h("div", { class: "lmdk-row", role: "option" }, ...["mark", "name", "number", "number", "number"].map((c) => h("span", { class: `lmdk-cell-${c}` })));
}
