// The verdict over people, above the answers: the table as it is, the scheme chosen, and what would meet the limit, with a
// button for each setting that does.
import { button, h, setText } from "../page/dom.js";

const ICONS = { meets: "✓", weak: "!", misses: "✕" }; // words stand beside it: colour alone says nothing
const AT_REST = 900; // milliseconds without another verdict until it is read aloud

export class Verdict {
  // act(operations)
  constructor(act) {
    this.act = act;
    this.icon = h("span", { class: "lmdk-peopleicon", "aria-hidden": "true" });
    this.bare = h("strong", {});
    this.bareWhy = h("span", { class: "lmdk-peoplewhy" });
    this.under = h("span", {});
    this.lead = h("strong", {});
    this.help = h("span", {});
    this.takes = h("span", { class: "lmdk-peopletakes" });
    this.owner = h("span", { class: "lmdk-peopleowner" });
    this.said = h("p", { class: "lmdk-offscreen", role: "status", "aria-live": "polite" });
    const line = (...parts) => h("p", { class: "lmdk-peopleline" }, ...parts.flatMap((each, k) => (k ? [" ", each] : [each])));
    this.element = h(
      "section",
      { class: "lmdk-peopleverdict", "aria-label": "Verdict" },
      line(this.bare, this.bareWhy),
      line(this.icon, this.under, this.lead),
      h("p", { class: "lmdk-peopleline lmdk-peoplehelp" }, this.help, " ", this.takes, " ", this.owner),
      this.said,
    );
  }

  // verdict: { look, bare, bare_why, under, lead, help, takes: [{ said, operations }], owner }
  show(verdict) {
    const told = JSON.stringify(verdict);
    if (told === this.told) return;
    const first = !this.told;
    this.told = told;
    const { look, bare, bare_why: bareWhy, under, lead, help, takes, owner } = verdict;
    this.element.dataset.look = look;
    setText(this.icon, ICONS[look]);
    for (const [place, text] of [
      [this.bare, bare],
      [this.bareWhy, bareWhy],
      [this.under, under],
      [this.lead, lead],
      [this.help, help],
      [this.owner, owner],
    ])
      setText(place, text);
    const offers = JSON.stringify(takes);
    if (offers !== this.offers) this.takes.replaceChildren(...takes.flatMap((one) => this.offer(one, help)));
    this.offers = offers;
    clearTimeout(this.waiting);
    if (!first) this.waiting = setTimeout(() => setText(this.said, `${under} ${lead} ${help} ${takes.map(({ said }) => said).join("; ")}`), AT_REST);
  }

  // A setting with its button.
  offer({ said, operations }, help) {
    const use = button("Use this", () => this.act(operations), { title: said || help });
    return said ? [h("span", {}, said), " ", use, " "] : [use];
  }

  remove() {
    clearTimeout(this.waiting);
  }
}
