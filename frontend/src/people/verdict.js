// The verdict over people: one line above the answers, and a button for an epsilon that meets the limit.
import { button, h, setText } from "../page/dom.js";

const ICONS = { meets: "✓", misses: "✕" }; // words stand beside it: colour alone says nothing
const AT_REST = 900; // milliseconds without another verdict until it is read aloud

export class Verdict {
  // act(operation)
  constructor(act) {
    this.icon = h("span", { class: "lmdk-peopleicon", "aria-hidden": "true" });
    this.lead = h("strong", {});
    this.text = h("span", {});
    this.take = button("Use this", () => act(this.operation), { hidden: true });
    this.owner = h("span", { class: "lmdk-peopleowner" });
    this.said = h("p", { class: "lmdk-offscreen", role: "status", "aria-live": "polite" });
    const line = h("p", { class: "lmdk-peopleline" }, this.icon, this.lead, " ", this.text, " ", this.take, " ", this.owner);
    this.element = h("section", { class: "lmdk-peopleverdict", "aria-label": "Verdict" }, line, this.said);
  }

  // verdict: { look, lead, why, help, take, owner }
  show(verdict) {
    const told = JSON.stringify(verdict);
    if (told === this.told) return;
    const first = !this.told;
    this.told = told;
    const { look, lead, why, help, take, owner } = verdict;
    this.element.dataset.look = look;
    setText(this.icon, ICONS[look]);
    setText(this.lead, lead);
    setText(this.text, `${why} ${help}`);
    this.operation = take;
    this.take.hidden = !take;
    this.take.title = help;
    setText(this.owner, owner);
    clearTimeout(this.waiting);
    if (!first) this.waiting = setTimeout(() => setText(this.said, `${lead} ${why} ${help}`), AT_REST);
  }

  remove() {
    clearTimeout(this.waiting);
  }
}
