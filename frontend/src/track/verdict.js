// The verdict: a sentence above the answers, the limits that it is made of, and settings that would meet them.
import { bullets, button, h, setText } from "../page/dom.js";
import { showNumber } from "../page/number_field.js";

const ICONS = { meets: "✓", misses: "✕", open: "•" }; // a word stands beside it: colour alone says nothing
const USE = "Use this";
const AT_REST = 900; // milliseconds without another verdict until it is read aloud
const FIELDS = ["limits.found_m", "limits.useful_share", "limits.guesses"];

export class Verdict {
  // act: { take(k) }
  constructor(act) {
    this.act = act;
    this.icon = h("span", { class: "lmdk-judgedicon", "aria-hidden": "true" });
    // the word "limits" of the sentence opens them
    this.toggle = button("", () => this.open(this.fold.hidden), { class: "lmdk-judgedtoggle", "aria-expanded": "false" });
    this.before = h("strong", {});
    this.after = h("strong", {});
    this.text = h("span", {});
    this.takes = h("span", { class: "lmdk-judgedtakes" });
    this.cost = h("span", {}); // what the proposal makes worse, in view beside its button
    this.today = h("p", { class: "lmdk-judgedline lmdk-judgedtoday", hidden: true }); // of practices: not about the release
    this.said = h("p", { class: "lmdk-offscreen", role: "status", "aria-live": "polite" });
    this.reasons = h("div", {});
    this.controls = h("div", { class: "lmdk-pair" });
    this.fold = h("div", { class: "lmdk-judgedlimits", role: "group", "aria-label": "Limits", hidden: true }, this.controls, this.reasons);
    const line = h("p", { class: "lmdk-judgedline" }, this.icon, this.before, this.toggle, this.after, " ", this.text, " ", this.takes, " ", this.cost);
    this.element = h("section", { class: "lmdk-judged", "aria-label": "Verdict" }, line, this.today, this.fold, this.said);
  }

  // Its fields, and where the present radius is shown while the limit follows it. fields: those of the page
  fields(fields, recorded) {
    this.toggle.hidden = Boolean(recorded);
    this.controls.replaceChildren(...FIELDS.map((name) => fields.field(name)));
    for (const name of FIELDS) {
      const row = fields.rows[name];
      row.control.placeholder = "no limit";
      row.show = (value) => {
        const shown = value === fields.declared[name].preset ? this.radius : value;
        if (document.activeElement !== row.control || fields.typing !== row.control) showNumber(row.control, shown ?? "");
      };
    }
  }

  open(on) {
    this.fold.hidden = !on;
    this.toggle.setAttribute("aria-expanded", String(on));
  }

  // Before the fields are shown: what the preset of the first limit stands for.
  preset(verdict) {
    this.radius = verdict?.radius ?? this.radius;
  }

  // verdict: { lead, why, help, cost, today, look, reasons, takes: [{ text, said, star }], radius }
  show(verdict) {
    const told = JSON.stringify(verdict);
    if (told === this.told) return;
    const first = !this.told;
    this.told = told;
    const { lead, why, help, cost, today, look, reasons, takes } = verdict;
    this.element.dataset.look = look;
    setText(this.icon, ICONS[look]);
    const [, before, word, after] = /^(.*?)(limits?)(.*)$/.exec(lead) ?? ["", `${lead} `, "Limits", ""];
    setText(this.before, before);
    setText(this.toggle, word);
    setText(this.after, after);
    setText(this.text, [why, help].filter(Boolean).join(" "));
    const buttons = takes.map(({ text, said, star }, k) =>
      button(star ? `★ ${text}` : text, () => this.act.take(k), { title: said, "aria-description": said, class: star ? "lmdk-starred" : "" }),
    );
    if (buttons.length) {
      const { text, star } = takes[0]; // the sentence before it has just said what
      buttons[0].ariaLabel = `${USE}: ${text}`;
      setText(buttons[0], star ? `★ ${USE}` : USE);
    }
    setText(this.cost, cost);
    setText(this.today, today);
    this.today.hidden = !today;
    this.takes.replaceChildren(...buttons.slice(0, 1)); // the best one beside the sentence, the others beside the reasons
    this.reasons.replaceChildren(bullets(reasons), h("p", {}, ...buttons.slice(1)));
    clearTimeout(this.waiting);
    if (!first) this.waiting = setTimeout(() => setText(this.said, [lead, why, help, cost, today].filter(Boolean).join(" ")), AT_REST);
  }

  remove() {
    clearTimeout(this.waiting);
  }
}
