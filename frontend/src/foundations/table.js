// The part on a table: its columns, the classes of people who look alike, the measures, and attacks step by step.
import { part } from "../page/blocks.js";
import { bullets, button, details, h, setText } from "../page/dom.js";
import { uploadButton } from "../page/fields.js";
import { StepByStep } from "../page/step_by_step.js";
import { measures } from "./charts.js";
import { Classes } from "./classes.js";
import { Columns } from "./columns.js";

const UPLOADS =
  "A CSV file with a heading and a person in each line; commas, semicolons or tabs between the cells. An empty cell is a missing value. The file stays on this computer; no link holds any of it, nor the names of its columns.";

export class TablePart {
  constructor(page, { first, views }) {
    this.page = page;
    const ask = (op, column, value) => page.request(op === "sensitive" ? { op: "set", name: op, value: column } : { op, column, ...value });
    this.columns = new Columns(ask);
    this.classes = new Classes();
    this.every = h("div");
    this.steps = new StepByStep(() => this.mark(), { "data-lmdk": "steps", "aria-live": "polite" });
    this.attacks = h("div", { class: "lmdk-attacks" });
    const hint = "An attack is played on the table as it is published above. Press its button again to end it.";
    first.append(
      part("Classes: people who look alike", this.classes.element),
      part("Attacks", h("p", { class: "lmdk-meaning" }, hint), this.attacks, this.every, this.steps.element),
    );
    this.table = measures(views);
  }

  // What stands behind the choice of the table.
  around() {
    this.ownName = h("p", { class: "lmdk-meaning" });
    const upload = uploadButton("Upload a table", ".csv,.tsv,.txt", (file) => this.page.uploader.start(file));
    return { table: [upload, this.ownName, details("What can be uploaded", h("p", {}, UPLOADS)), this.columns.element] };
  }

  tell(told) {
    this.told = told;
    const option = this.page.fields.rows.table.control.querySelector('option[value="own"]');
    option.disabled = !told.own;
    setText(this.ownName, told.own);
    this.columns.show(told.columns);
    this.table.show(told.table);
    this.showAttacks(told);
    this.steps.show(told.steps, told.attack);
    this.mark();
  }

  // After a refusal the controls show again what is in use.
  restore() {
    if (this.told) this.columns.show(this.told.columns);
  }

  showAttacks({ attacks, attack }) {
    if (!this.attacks.children.length) {
      const families = [...new Set(attacks.map(([, , family]) => family))];
      const play = (name) => () => this.page.ask("attack", this.told.attack === name ? "none" : name);
      const one = ([name, title]) => button(title, play(name), { "data-attack": name });
      const plays = this.page.options.fields.attack.choices.slice(1).map((play) => `${play.title}: ${play.meaning}`);
      this.every.replaceChildren(details("Every attack in one line", bullets(plays, { class: "lmdk-meaning" })));
      for (const family of families) {
        const some = attacks.filter(([, , of]) => of === family);
        this.attacks.append(h("div", { class: "lmdk-attackrow", role: "group", "aria-label": family }, h("span", {}, family), ...some.map(one)));
      }
    }
    for (const one of this.attacks.querySelectorAll("button")) one.ariaPressed = String(one.dataset.attack === attack);
  }

  async draw(drawn, arrays) {
    this.classes.draw(drawn, arrays);
    this.mark();
  }

  // The people that the step of the attack is about.
  mark() {
    this.classes.mark(this.told?.steps[this.steps.step]?.marks ?? []);
  }
}
