// The foundations page: what the words of privacy mean, one part at a time.
import { h } from "../page/dom.js";
import { LabPage, pageOf } from "../page/lab.js";
import css from "./foundations.css";
import { TablePart } from "./table.js";

class FoundationsPage extends LabPage {
  build() {
    const { first, views } = this.columns();
    const place = { first: first.appendChild(h("div")), views: views.appendChild(h("div")) };
    this.parts = { table: new TablePart(this, place) };
  }

  // An operation that is no change of one choice.
  request(operation, commit = true) {
    this.pump.request(operation, commit);
  }

  around() {
    return this.parts.table.around();
  }

  showControls() {
    super.showControls();
    for (const group of this.controls.querySelectorAll("fieldset")) {
      group.hidden = !group.querySelector(":scope > :is(.lmdk-field, .lmdk-check):not([hidden])");
    }
  }

  show({ choices, refused, told }) {
    const part = this.parts[choices.part];
    if (refused) part.restore?.();
    else part.tell(told);
  }

  async draw({ drawn }, arrays) {
    await this.parts[this.choices.part].draw(drawn, arrays);
  }
}

export default pageOf(FoundationsPage, { name: "foundations", title: "What protects people in published data?", css });
