// The public region of a track: what may be public about where it lies. The fold says it in its summary; for the user's own
// data it opens by itself and asks, with the time zone if the file named none.
import { button, h, setText } from "../page/dom.js";
import { numberField, readNumber, showNumber } from "../page/number_field.js";

const SIDES = ["South", "West", "North", "East"];

export class Region {
  // act: { use(limits, zone), back(), zones(): whether a time zone can be said now }
  constructor(act) {
    this.act = act;
    this.told = null;
    this.called = h("span", { class: "lmdk-asidevalue" });
    this.said = h("p", { class: "lmdk-meaning" });
    this.inputs = SIDES.map((side) => numberField({ "aria-label": `${side} of the region, degrees` }));
    for (const input of this.inputs) for (const event of ["input", "change"]) input.addEventListener(event, () => this.offer());
    const rows = SIDES.map((side, k) => h("label", {}, side, this.inputs[k]));
    const id = "lmdk-region-zones";
    this.zone = h("input", { list: id, class: "lmdk-pick", "aria-label": "Time zone of the data" });
    this.zone.addEventListener("input", () => this.offer());
    const zones = ["UTC", ...(Intl.supportedValuesOf?.("timeZone") ?? [])];
    this.zoned = h("p", { hidden: true }, h("label", {}, "Time zone ", this.zone), h("datalist", { id }, ...zones.map((value) => h("option", { value }))));
    this.use = button("This area can be public", () => this.act.use(this.values(), this.zone.value.trim()));
    this.later = button("Not now", () => (this.element.open = false));
    this.back = button("Back to the proposal", () => this.act.back());
    const choices = h("p", { class: "lmdk-choices" }, this.use, this.later, this.back);
    this.element = h(
      "details",
      { class: "lmdk-aside lmdk-region", hidden: true },
      h("summary", {}, h("span", { class: "lmdk-asidename" }, "Region"), " ", this.called),
      h("fieldset", { "aria-label": "Region" }, this.said, h("div", { class: "lmdk-limits" }, ...rows), this.zoned, choices),
    );
  }

  values() {
    return this.inputs.map((input) => readNumber(input.value));
  }

  // told: limits in degrees, called, said, proposed, chosen, sample, zone, of which data; null for a series. still: in a file
  // without a kernel. What was typed stays until there is something else to show.
  show(told, still) {
    this.element.hidden = !told;
    if (!told || JSON.stringify(told) === JSON.stringify(this.told)) return;
    const first = told.of !== this.told?.of;
    this.told = told;
    const [name, size] = told.called.split(", ");
    setText(this.called, name);
    setText(this.said, size ? `${name}, ${size}. ${told.said}` : told.said);
    told.limits.forEach((limit, k) => showNumber(this.inputs[k], limit));
    const asks = told.proposed && !still;
    this.zoned.hidden = !(asks && !told.zone && this.act.zones());
    if (first) this.zone.value = told.zone || "UTC";
    for (const input of this.inputs) input.disabled = Boolean(still);
    if (first || !asks) this.element.open = asks;
    this.later.hidden = !asks;
    this.back.hidden = !told.chosen || Boolean(still);
    setText(this.back, told.sample ? "Back to the sample's own" : "Back to the proposal");
    this.offer();
  }

  // What was changed can be used; a proposal can be confirmed as it is.
  offer() {
    const { limits, proposed } = this.told;
    const changed = this.values().some((value, k) => value !== limits[k]);
    setText(this.use, proposed ? "This area can be public" : "This one can be public");
    this.use.hidden = !(proposed || changed) || this.inputs[0].disabled;
  }
}
