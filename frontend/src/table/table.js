// The part on a table: people as marks, its columns, the mixture of each class, the measures, and attacks step by step.
import { ChartBlock, part } from "../page/blocks.js";
import { bullets, button, details, h, setText } from "../page/dom.js";
import { dataUpload } from "../page/fields.js";
import { fileGoes } from "../page/server.js";
import { StepByStep } from "../page/step_by_step.js";
import { measures } from "./charts.js";
import { Classes } from "./classes.js";
import { Columns } from "./columns.js";
import { Scene } from "./scene.js";

const UPLOADS = `A CSV file with a heading and one person per line; commas, semicolons or tabs between the cells. An empty cell is a missing value. ${fileGoes()} No link contains any of it, not even the names of its columns.`;

export class TablePart {
  constructor(page, { picture, beside, panels }) {
    this.page = page;
    const ask = (op, column, value) => page.request({ op, column, ...value });
    const set = (name, value) => page.request({ op: "set", name, value });
    this.columns = new Columns(ask, set);
    this.scene = page.keep(new Scene());
    this.classes = new Classes();
    this.every = h("div");
    this.steps = new StepByStep(() => this.mark(), { "data-lmdk": "steps", "aria-live": "polite" });
    this.attacks = h("div", { class: "lmdk-attacks" });
    const hint = "An attack is played on the table as it is published above. Press its button again to end it.";
    picture.append(this.scene.element);
    this.cost = new ChartBlock(page, beside.appendChild(part()), null, this.scene.frame);
    panels.attacks.append(this.steps.element, h("p", { class: "lmdk-meaning" }, hint), this.attacks, this.every);
    panels.classes.append(this.classes.element);
    this.table = measures(panels.measures);
  }

  // What follows the choice of the table.
  around() {
    this.ownName = h("p", { class: "lmdk-meaning" });
    const upload = dataUpload("Upload a table", ".csv,.tsv,.txt", (file) => this.page.uploader.start(file));
    return { table: [...upload, this.ownName, details("What can be uploaded", h("p", {}, UPLOADS))] };
  }

  tell(told) {
    if (told.attack && told.attack !== this.told?.attack) this.page.tabs.show(this.page.tabs.named("attacks"));
    this.told = told;
    const option = this.page.fields.rows.table.control.querySelector('option[value="own"]');
    if (option) option.disabled = !told.own; // not in a file without a kernel
    setText(this.ownName, told.own);
    this.columns.show(told);
    if (this.page.options.recorded) this.columns.fix();
    this.table.show(told.table);
    this.showAttacks(told);
    this.steps.show(told.steps, told.attack);
    this.mark();
  }

  // After a refusal the controls show again what is in use.
  restore() {
    if (this.told) this.columns.show(this.told);
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

  words({ scene, figures }) {
    return `${scene.said} ${figures.cost.summary}`;
  }

  async draw(drawn, arrays) {
    this.scene.draw(drawn, arrays);
    this.classes.draw(drawn, arrays);
    this.mark();
    await this.cost.draw(drawn.figures.cost, arrays);
  }

  // The people that the step of the attack is about.
  mark() {
    const marks = this.told?.steps[this.steps.step]?.marks ?? [];
    for (const view of [this.scene, this.classes]) view.mark(marks);
  }
}
