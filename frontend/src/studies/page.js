// The page of studies: opens results, draws them in panels with error bars, and leads from a mark to its setting.
import { hasAddress, tellSettings } from "../page/address.js";
import { TableBlock } from "../page/blocks.js";
import { Chart } from "../page/chart.js";
import { addStyle, button, details, h, onSize, setText } from "../page/dom.js";
import { sent } from "../page/kept.js";
import { onPresent } from "../page/present.js";
import { fileGoes, server } from "../page/server.js";
import style from "../page/style.css";
import { onTheme } from "../page/theme.js";
import css from "./studies.css";

const NARROW = 620; // pixels
// The results of the last session of this page and what was done with them, for another session to continue with. They are
// in the memory of the page, not of this module, which is loaded again.
const had = (globalThis.lmdkStudies ??= { now: { names: [], buffers: [], steps: [] } });

export default {
  render({ model, el }) {
    const page = new StudiesPage(model, el);
    return () => page.remove();
  },
};

// A button in the last column, under the heading that stands there, shows the setting of each mark.
class MarksTable extends TableBlock {
  constructor(pick) {
    super();
    this.pick = pick;
    this.marks = [];
  }

  rowsOf(table, row, r) {
    const [element] = super.rowsOf(table, row, r);
    element.lastChild.append(button("Show", () => this.pick(this.marks[r])));
    return [element];
  }
}

class StudiesPage {
  constructor(model, el) {
    this.model = model;
    this.viewId = Math.random().toString(36).slice(2);
    this.name = h("p", { class: "lmdk-paragraph", role: "status" });
    this.error = h("p", { class: "lmdk-studieserror", role: "alert", hidden: true });
    this.form = h("div", { class: "lmdk-studiesform" });
    this.picked = h("p", { class: "lmdk-paragraph", role: "status" });
    this.table = new MarksTable((at) => this.pick(...at));
    this.numbers = details("", this.table.element);
    this.frame = h("div");
    this.about = h("p", { class: "lmdk-paragraph" });
    const parts = [h("h1", {}, "Studies"), this.about, this.opener(), this.error];
    this.root = h("div", { class: "lmdk-explorer lmdk-studies" }, ...parts, this.name, this.form, this.frame, this.picked, this.numbers);
    el.append(this.root);
    addStyle(el, style);
    addStyle(el, css, "studies");
    this.chart = new Chart(this.frame, { label: "The means of a study", onclick: (at) => this.pick(at.trace, at.index) });
    this.watch();
    this.send({ type: "ready" });
    this.tell();
    if (hasAddress(this.root)) this.goOn(had.now);
  }

  // Nothing of this page is in the address; saying so lets it continue when its session ends.
  tell() {
    tellSettings(this.root, { link: "", left_out: had.now.names.length ? ["the results that you opened"] : [] });
  }

  // Continues where another session of this page ended.
  goOn({ names, buffers, steps }) {
    had.now = { names: [], buffers: [], steps: [] };
    if (names.length) this.open(names, buffers);
    for (const [act, ...given] of steps) this[act](...given);
  }

  watch() {
    const handlers = {
      options: (message) => this.setOptions(message),
      shown: (message) => this.show(message),
      picked: (message) => this.showPicked(message),
      refused: (message) => this.refuse(message.text),
      read: () => this.wasRead(),
      reopened: () => this.goOn(this.opening ?? had.now),
    };
    const receive = (message) => {
      if (!message.view || message.view === this.viewId) handlers[message.type]?.(message);
    };
    this.model.on("msg:custom", receive);
    const recolour = () => this.chart.recolour();
    this.ends = [() => this.model.off("msg:custom", receive), onTheme(recolour), onPresent(this.root, recolour), onSize(this.root, () => this.resized())];
  }

  send(message, buffers) {
    sent(() => this.model.send({ ...message, view: this.viewId }, undefined, buffers));
  }

  setOptions({ about, most_bytes: most }) {
    setText(this.about, about);
    this.most = most;
  }

  // Draws everything except the setting of a mark.
  show({ name, form, figure, summary, table, marks, narrow }) {
    const isFirst = this.narrow === undefined;
    this.narrow = narrow; // as the last view asked that changed its width
    setText(this.name, name);
    this.refuse("");
    this.showForm(form);
    this.showMarks(name, table, marks);
    if (figure.data) {
      this.chart.draw(figure, {}, summary);
      this.root.dataset.lmdkReady = "1";
    }
    if (isFirst) this.resized();
  }

  opener() {
    const input = h("input", { type: "file", class: "lmdk-file", multiple: true, accept: ".parquet,.csv", onchange: () => this.take(input) });
    return h("p", {}, h("label", { class: "lmdk-upload" }, "Open results …", input), h("span", { class: "lmdk-goes" }, fileGoes("What you open")));
  }

  async take(input) {
    const files = [...input.files];
    input.value = "";
    this.refuse(""); // what was said about other files
    if (files.reduce((sum, file) => sum + file.size, 0) > this.most) {
      this.refuse(`The files must have at most ${this.most / 1e6} MB together. Open some of the parts, or all of them in Python: Studies("directory").`);
      return;
    }
    const buffers = await Promise.all(files.map((file) => file.arrayBuffer()));
    if (files.length)
      this.open(
        files.map((file) => file.name),
        buffers,
      );
  }

  open(names, buffers) {
    this.opening = { names, buffers, steps: [] };
    this.send({ type: "results", names }, buffers);
  }

  wasRead() {
    if (this.opening) had.now = this.opening;
    this.opening = null;
    this.tell();
  }

  pick(trace, index) {
    this.did("pick", trace, index);
    this.send({ type: "pick", trace, index });
  }

  choose(name, value) {
    this.did("choose", name, value);
    this.send({ type: "choose", name, value });
  }

  did(...step) {
    if (hasAddress(this.root)) (this.opening ?? had.now).steps.push(step);
  }

  refuse(text) {
    if (text) this.opening = null;
    setText(this.error, text);
    this.error.hidden = !text;
  }

  resized() {
    const narrow = this.root.clientWidth < NARROW;
    if (!this.root.clientWidth || this.narrow === undefined || narrow === this.narrow) return;
    this.narrow = narrow;
    this.send({ type: "narrow", narrow });
  }

  // The selects are kept while their names stay, so that the one in use keeps the focus.
  showForm(fields) {
    const names = fields.map(({ name }) => name).join();
    if (this.names !== names) {
      this.names = names;
      this.form.replaceChildren(...fields.map((field) => this.field(field)));
    }
    fields.forEach(({ options, value }, k) => {
      const select = this.form.querySelectorAll("select")[k];
      const known = [...select.options].map((option) => option.value).join("\n");
      if (known !== options.map(([name]) => name).join("\n")) {
        select.replaceChildren(...options.map(([name, text]) => h("option", { value: name }, text)));
      }
      select.value = value;
    });
  }

  field({ name, label }) {
    const select = h("select", { onchange: () => this.choose(name, select.value) });
    return h("label", { class: "lmdk-studiesfield" }, label, select);
  }

  // What was picked was one of the marks before. The same marks, on a page of another width, stay with the focus on them.
  showMarks(name, table, marks) {
    const key = JSON.stringify([name, table, marks]);
    if (key === this.marks) return;
    this.marks = key;
    this.picked.replaceChildren();
    setText(this.numbers.querySelector("summary"), table.title);
    this.table.marks = marks;
    this.table.show(table);
  }

  showPicked({ said, query, why }) {
    this.refuse("");
    const link = { href: `?${query}`, target: "_blank", rel: "noopener" };
    const open = server() === null ? h("code", {}, `Explorer(query="${query}")`) : h("a", link, "Open this setting in the explorer");
    this.picked.replaceChildren(`${said} `, query ? open : why);
  }

  remove() {
    this.ends.forEach((end) => end());
    this.chart.remove();
  }
}
