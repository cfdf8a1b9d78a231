// The part on adding up: releases as blocks on the budget, a field for each, and charts of what each rule says.
import { part } from "../page/blocks.js";
import { button, h, setText } from "../page/dom.js";
import { askedNumber } from "../page/number_field.js";
import { ChartPart } from "./charts.js";

const SMALL = 0.1; // of a release that is added, unless less is left

export class StackedPart extends ChartPart {
  constructor(page, place) {
    super(page, place, { picture: [], beside: ["rules"], tabs: { belief: "coins", tests: "repeated" }, table: "rules" });
    this.lanes = h("div", { class: "lmdk-lanes", "aria-hidden": "true" });
    this.ends = h("p", { class: "lmdk-meaning", "data-lmdk": "spent" });
    this.list = h("div", { class: "lmdk-releases", role: "group", "aria-label": "Releases" });
    this.add = button("Add a release", () => page.request({ op: "add", value: this.next() }));
    this.compute = button("Compute from the releases", () => page.request({ op: "add", value: 0 }));
    const buttons = h("div", { class: "lmdk-buttons" }, this.add, this.compute);
    place.picture.append(part("Releases on the budget", this.lanes, this.ends));
    place.panels.releases.append(this.list, buttons);
    this.blocks = [];
    this.fields = [];
  }

  // What a new release asks for; if nothing is left, the kernel says so.
  next() {
    const { left } = this.told;
    return left > 1e-9 ? Math.min(SMALL, left) : SMALL;
  }

  tell(told, refused = false) {
    super.tell(told);
    this.told = told;
    setText(this.ends, told.ends);
    this.add.disabled = this.compute.disabled = told.stack.length >= told.most;
    this.showLanes(told);
    const key = told.stack.map(({ epsilon }) => epsilon === 0).join();
    if (refused || key !== this.key) {
      this.key = key;
      this.fields = told.stack.map((release, k) => this.field(release, k, told.sources));
      this.list.replaceChildren(...this.fields.map(({ element }) => element));
    }
    told.stack.forEach((release, k) => this.fields[k].show(release, told.stack.length));
  }

  restore() {
    if (this.told) this.tell(this.told, true);
  }

  showLanes({ sources, stack, budget }) {
    if (this.blocks.length !== stack.length || !this.lanes.children.length) {
      this.blocks = stack.map((_, k) => h("div", { class: `lmdk-spent lmdk-look-${k % 8}` }, h("span", {}, String(k + 1))));
      this.tracks = sources.map(() => h("div", { class: "lmdk-lane" }));
      this.lanes.replaceChildren(...sources.map((name, k) => h("div", { class: "lmdk-lanerow" }, h("span", {}, name), this.tracks[k])));
    }
    stack.forEach(({ epsilon, source, start }, k) => {
      const block = this.blocks[k];
      if (block.parentElement !== this.tracks[source]) this.tracks[source].append(block);
      Object.assign(block.style, { left: `${(100 * start) / budget}%`, width: epsilon ? `${(100 * epsilon) / budget}%` : "0" });
      block.classList.toggle("lmdk-free", epsilon === 0);
    });
  }

  field({ epsilon }, k, sources) {
    const name = `release ${k + 1}`;
    const ask = (op, value) => this.page.request({ op, index: k, ...value });
    const remove = button("Remove", () => ask("remove", {}), { "aria-label": `Remove ${name}` });
    if (epsilon === 0) {
      const said = h("span", {}, `${k + 1}: computed from releases, ε = 0`);
      return { element: h("div", { class: "lmdk-release" }, said, remove), show: (_, n) => (remove.disabled = n < 2) };
    }
    const asked = askedNumber({ "aria-label": `Epsilon of ${name}`, value: String(epsilon) }, (value) => ask("spend", { value }));
    const from = h("select", { "aria-label": `Source of ${name}` }, ...sources.map((title, s) => h("option", { value: String(s) }, title)));
    from.addEventListener("change", () => ask("source", { value: Number(from.value) }));
    const show = (release, n) => {
      asked.show(release.epsilon);
      from.value = String(release.source);
      remove.disabled = n < 2;
    };
    return { element: h("div", { class: "lmdk-release" }, h("span", {}, `${k + 1}: ε`), asked.input, "from", from, remove), show };
  }
}
