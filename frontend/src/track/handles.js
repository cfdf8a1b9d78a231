// The tops of the bars of budgets by hand: a handle lies over each, and is dragged up and down by mouse or finger. The axis
// does not move meanwhile, so a pixel is worth the same all the way.
import { h } from "../page/dom.js";

const LEAST = 5; // pixels of a timestamp's width: narrower bars are not to be hit
const BAR = 0.75; // of a timestamp's width
const STILL = 4; // pixels: a shorter drag is a click
const STEPS = 100; // of the axis, at least: what is dragged is a round number

export class Handles {
  // act: { hover(index), drag(index, budget, done) }; done: the handle was let go
  constructor(timeline, store, act) {
    this.timeline = timeline;
    this.store = store;
    this.act = act;
    this.frame = h("div", { class: "lmdk-handles", "aria-hidden": "true" });
    timeline.frame.append(this.frame);
    this.on = false; // whether the budgets are set by hand
    this.frame.addEventListener("pointerdown", (event) => this.down(event));
    timeline.drawn = () => this.place();
  }

  place() {
    const { xaxis, yaxis } = this.timeline.drawing?.axes ?? {};
    const { budgets } = this.store.arrays;
    const [from, to] = xaxis?.range ?? [0, 0];
    const wide = xaxis ? xaxis.length / (to - from) : 0;
    const [first, last] = [Math.max(0, Math.ceil(from)), Math.min((budgets?.length ?? 0) - 1, Math.floor(to))];
    const count = this.on && budgets && wide >= LEAST ? Math.max(0, last - first + 1) : 0;
    while (this.frame.children.length > count) this.frame.lastChild.remove();
    while (this.frame.children.length < count) this.frame.append(h("div", { class: "lmdk-handle" }));
    [...this.frame.children].forEach((handle, k) => {
      const index = first + k;
      handle.dataset.index = String(index);
      const left = xaxis.pixel(index) - (wide * BAR) / 2;
      const top = Math.max(yaxis.offset, yaxis.pixel(budgets[index]));
      handle.style.cssText = `left:${left}px;top:${top}px;width:${wide * BAR}px`;
    });
  }

  down(event) {
    const handle = event.target.closest(".lmdk-handle");
    if (!handle || event.button !== 0) return;
    const index = Number(handle.dataset.index);
    const { range, length } = this.timeline.drawing.axes.yaxis;
    const [worth, begin] = [(range[1] - range[0]) / length, this.store.arrays.budgets[index]];
    const step = 10 ** Math.floor(Math.log10((range[1] - range[0]) / STEPS) + 1e-9);
    let budget = null;
    const move = ({ clientY }) => {
      const up = event.clientY - clientY;
      if (budget === null && Math.abs(up) <= STILL) return;
      this.timeline.budgetRange = [...range];
      handle.classList.add("lmdk-pulled");
      budget = Number((Math.round(Math.max(0, begin + up * worth) / step) * step).toPrecision(6));
      this.act.drag(index, budget, false);
    };
    const end = () => {
      handle.removeEventListener("pointermove", move);
      handle.classList.remove("lmdk-pulled");
      this.timeline.budgetRange = null;
      if (budget !== null) this.act.drag(index, budget, true);
    };
    handle.setPointerCapture(event.pointerId);
    handle.addEventListener("pointermove", move);
    handle.addEventListener("lostpointercapture", end, { once: true });
    this.act.hover(index);
  }
}
