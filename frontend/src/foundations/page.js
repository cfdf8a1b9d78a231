// The foundations page: what the words of privacy mean, one part at a time.
import { button, h } from "../page/dom.js";
import { LabPage, pageOf } from "../page/lab.js";
import { AddingPart } from "./adding.js";
import { ChartPart } from "./charts.js";
import css from "./foundations.css";
import { StreamPart } from "./stream.js";
import { TablePart } from "./table.js";

const SAVES = {
  note: "Every file says what it is: a simulation, or an anonymised table, whose rows hide among those of their class and no more.",
  items: [
    ["Report: a page to read and print", "report"],
    ["Charts as SVG", "svg"],
    ["Charts as PNG", "png"],
    ["This part as CSV", "part"],
    ["The attack as CSV", "attack"],
    ["Copy as Python", "python"],
  ],
};
const NOISE = { above: ["outputs", "ratio"], below: ["belief", "tests", "people"] };

class FoundationsPage extends LabPage {
  build() {
    this.columnsOf = this.columns();
    this.places = {};
    this.parts = {
      table: new TablePart(this, this.place("table")),
    };
  }

  // Where the views of a part stand; hidden while another part is shown.
  place(name) {
    const { first, views } = this.columnsOf;
    const hidden = (name) => h("div", { class: name, hidden: true });
    this.places[name] = { first: first.appendChild(hidden("lmdk-above")), views: views.appendChild(hidden("lmdk-twocolumns")) };
    return this.places[name];
  }

  // A part is made when it is first shown: the one on tables needs no charts.
  made(name) {
    if (name === "noise") this.parts.noise ??= new ChartPart(this, this.place("noise"), NOISE);
    if (name === "adding") this.parts.adding ??= new AddingPart(this, this.place("adding"));
    if (name === "stream") this.parts.stream ??= new StreamPart(this, this.place("stream"));
    return this.parts[name];
  }

  // An operation that is no change of one choice.
  request(operation, commit = true) {
    this.pump.request(operation, commit);
  }

  around() {
    return { ...this.parts.table.around(), seed: [button("Draw again", () => this.again())] };
  }

  showControls() {
    super.showControls();
    for (const group of this.controls.querySelectorAll("fieldset")) {
      group.hidden = !group.querySelector(":scope > :is(.lmdk-field, .lmdk-check):not([hidden])");
    }
  }

  show({ choices, refused, told }) {
    const part = this.shownPart(choices.part);
    for (const what of ["svg", "png"]) this.toolbar.offer(what, choices.part !== "table");
    this.toolbar.offer("attack", choices.part === "table" && choices.attack !== "none");
    if (refused) part.restore?.();
    else part.tell(told);
  }

  shownPart(name) {
    const part = this.made(name);
    for (const [other, { first, views }] of Object.entries(this.places)) {
      first.hidden = other !== name;
      views.hidden = other !== name;
    }
    return part;
  }

  async draw({ drawn }, arrays) {
    await this.parts[drawn.part].draw(drawn, arrays);
  }
}

export default pageOf(FoundationsPage, { name: "foundations", css, saves: SAVES });
