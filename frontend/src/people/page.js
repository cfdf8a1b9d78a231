// The people page: a table of people, who of them is found, and at which epsilon. One person opens on the track page.
import { countSwatches } from "../map/scale.js";
import { BlockList, ChartBlock, part } from "../page/blocks.js";
import { button, h, setText } from "../page/dom.js";
import { dataUpload } from "../page/fields.js";
import { canHandOver, handOver } from "../page/handed.js";
import { LabPage, pageOf } from "../page/lab.js";
import { sizeOf } from "../page/theme.js";
import css from "./people.css";
import { Verdict } from "./verdict.js";
import { Zone } from "./zone.js";

const SAVES = {
  note: "Files about your own table are for you only: they are computed from the true tracks, and two of them name the people.",
  items: [
    ["Everyone as CSV, by name", "everyone"],
    ["The expected numbers as CSV", "expected"],
    ["How many are singled out as CSV, where Names removed is open", "removed"],
    ["The counts of each cell as CSV, where Counts is open", "counts"],
    ["Other settings of counts as CSV, where Counts is open", "count-settings"],
    ["The assessment as a page that prints", "assessment"],
    ["The assessment as Markdown", "assessment-md"],
    ["The assessment for Word", "assessment-word"],
    ["Commands that release each person's track", "commands"],
    ["Copy as Python", "python"],
  ],
};
const NOT_HERE = "A table of your own cannot be read in this browser, as that needs pandas: use lmdk explore, or lmdk people FILE.";
const OPEN = "Open on Track";
const [REMOVED, COUNTS, ASSESSMENT] = ["Names removed", "Counts", "Assessment"]; // tabs, and the groups of their controls
const [AROUND, PRESENTED] = [420, 300]; // pixels of a page above and below the picture, in letters of the usual size
const [LEAST, MOST] = [220, 520];
const NARROW = 760; // pixels of a page on which the slider is below the picture

class PeoplePage extends LabPage {
  build() {
    const picture = this.part("people-picture", "The picture");
    const beside = this.part("people-beside", "One person, and which epsilon");
    this.shape(picture, beside);
    this.verdict = this.keep(new Verdict((operations) => operations.forEach((each) => this.pump.request(each))));
    this.answers.element.before(this.verdict.element);
    this.dots = new ChartBlock(this, picture.appendChild(part("")), (at) => this.clicked(at));
    this.who = h("p", { class: "lmdk-peoplewho", "aria-live": "polite" });
    this.openTrack = button(OPEN, () => this.send({ type: "person" }), { class: "lmdk-act" });
    this.how = h("code", {});
    this.person = h("div", { class: "lmdk-peopleone" }, this.who, this.openTrack, this.how);
    beside.append(this.person);
    this.curves = new ChartBlock(this, beside.appendChild(part("")));
    this.lists = {
      publish: new BlockList(this),
      exposed: new BlockList(this),
      expected: new BlockList(this),
      removed: new BlockList(this),
      counts: new BlockList(this),
      assessment: new BlockList(this),
      cells: new BlockList(this),
      settings: new BlockList(this),
    };
    this.onMap = part("Which cells survive");
    this.legend = h("ul", { class: "lmdk-peoplelegend" });
    this.cellSaid = h("p", { class: "lmdk-meaning", "aria-live": "polite" });
    this.mapped = h("div", { hidden: true }, this.onMap, this.legend, this.cellSaid);
    const counts = ["counts", "cells", "settings"].map((name) => this.lists[name].element);
    counts.splice(2, 0, this.mapped);
    const inCounts = h("div", { class: "lmdk-peoplecounts" }, ...counts);
    this.handlers.cells = (message, buffers) => this.showCells(message, this.unpacked(message, buffers));
    this.inTabs = Object.fromEntries([REMOVED, COUNTS, ASSESSMENT].map((title) => [title, h("div", { class: "lmdk-peoplepoints" })]));
    this.tabs.add("words", "In words", [this.answers.lines, this.words]);
    this.tabs.add("publish", "What to publish", [this.lists.publish.element]);
    this.tabs.add("exposed", "The most exposed", [this.lists.exposed.element]);
    this.tabs.add("expected", "Expected numbers", [this.lists.expected.element]);
    this.tabs.add("removed", REMOVED, [this.inTabs[REMOVED], this.lists.removed.element], { open: "removed" });
    this.tabs.add("counts", COUNTS, [this.inTabs[COUNTS], inCounts], { open: "counts" });
    this.tabs.add("assessment", ASSESSMENT, [this.inTabs[ASSESSMENT], this.lists.assessment.element], { open: "assessed" });
    this.tabs.add("assumptions", "Assumptions", [this.assumption]);
    this.handlers.person = ({ name, settings, read }, buffers) => handOver("track", { name, settings, read }, buffers);
    const resized = () => this.drawn && this.draw(...this.drawn);
    window.addEventListener("resize", resized);
    this.keep({ recolour: resized, remove: () => window.removeEventListener("resize", resized) });
  }

  // The controls of a tab stand in it.
  shownGroups() {
    return this.options.groups.filter(({ title }) => !this.inTabs[title]);
  }

  setOptions(options) {
    super.setOptions(options);
    for (const [group, place] of Object.entries(this.inTabs)) {
      const { names } = options.groups.find(({ title }) => title === group);
      place.replaceChildren(...names.map((name) => this.fields.field(name)));
    }
  }

  around() {
    return { table: this.ownTable(), seed: [button("Draw again", () => this.again())] };
  }

  // Terms are in the choices below the table.
  folded(sides, around) {
    const [front, ...folds] = super.folded(sides, around);
    const asks = front.querySelector(":scope > .lmdk-askhere");
    asks.style.top = "auto"; // beside the choice that it stands before
    this.fields.rows.scheme.row.before(asks);
    return [front, ...folds];
  }

  // How an own table comes here: uploaded; on a computer of one's own also by its path.
  ownTable() {
    const { reads, paths, recorded } = this.options;
    if (recorded) return [];
    if (!reads) return [h("p", { class: "lmdk-meaning" }, NOT_HERE)];
    this.zone = new Zone((timezone) => this.pump.request({ op: "zone", timezone }));
    const upload = dataUpload("Upload a table of people", ".csv,.parquet,.tsv,.txt", (file) => this.uploader.start(file), "Upload a table");
    if (!paths) return [...upload, this.zone.element];
    const path = h("input", {
      type: "text",
      autocomplete: "off",
      spellcheck: "false",
      "aria-label": "Path of a table",
      placeholder: "or its path: ~/rides.csv",
    });
    const open = () => path.value.trim() && this.openPath(path.value.trim());
    path.addEventListener("keydown", (event) => event.key === "Enter" && open());
    return [
      ...upload,
      h("span", { class: "lmdk-peoplepath" }, path, button("Open", open, { title: "Read a file or a folder of this computer, of any size" })),
      this.zone.element,
    ];
  }

  // By whose clock nights and hours are counted: chosen here for a table of one's own.
  showZone(zone) {
    this.zone?.show(zone);
  }

  openPath(path) {
    this.notices.clear();
    this.uploader.held = null; // no file that the next session could be sent
    this.uploader.outcome();
    this.uploader.reading(path);
    this.send({ type: "path", path });
  }

  sides() {
    return {
      main: ["epsilon"],
      front: ["table", "epsilon", "scheme"],
      folds: [
        { title: "Limit", names: ["distance_m", "most_percent"], say: ({ distance_m: m, most_percent: most }) => `${most} of 100 within ${m} m` },
        { title: "Landmarks", names: ["rule", "seed"], say: ({ rule }) => rule },
      ],
    };
  }

  clicked({ trace, index }) {
    const act = this.drawn?.[0].drawn.figures.people.figure.data[trace].meta?.[index];
    if (act) this.pump.request(act);
  }

  show({ refused, answers, verdict, person, tables, zone }) {
    if (refused) return;
    this.showZone(zone);
    this.answers.show(answers);
    this.verdict.show(verdict);
    this.person.hidden = !person;
    const chosen = person?.name ?? "";
    const moved = this.chosen !== undefined && chosen && chosen !== this.chosen;
    this.chosen = chosen;
    if (person) {
      setText(this.who, person.said);
      const can = canHandOver();
      this.openTrack.hidden = !can;
      setText(this.how, can ? "" : person.python);
      if (moved) this.person.scrollIntoView({ block: "nearest" }); // it is chosen in a list below, too
    }
    for (const [name, blocks] of Object.entries(tables)) this.lists[name].show(blocks);
  }

  // The cells on a map, once there are counts of them; a page without Python has the chart instead.
  async showCells({ base, names, said, legend }, arrays) {
    const asked = (this.cellsAsked = names);
    if (names.length && !this.map && !this.options.recorded) {
      this.maps ??= await this.library("map.js");
      const look = (cell) => setText(this.cellSaid, this.cells.said[cell] ?? "");
      if (!this.map && !this.removed) this.addMap("CellMap", this.onMap, { pick: look, hover: look, marks: legend.join(", ") });
    }
    if (asked !== this.cellsAsked || this.removed) return;
    const drawn = Boolean(names.length && this.map);
    this.mapped.hidden = !drawn;
    this.lists.cells.element.hidden = drawn;
    if (!drawn) return;
    this.cells = { said };
    this.legend.replaceChildren(...countSwatches(legend));
    setText(this.cellSaid, "");
    this.map.setCells({ ...arrays, base, names });
    this.map.setValues(arrays.values, { counts: true, selected: -1, guess: -1 });
  }

  async draw({ drawn }, arrays) {
    this.drawn = [{ drawn }, arrays];
    const { people, epsilons } = drawn.figures;
    const around = this.root.classList.contains("lmdk-present") ? PRESENTED : AROUND;
    const room = window.innerHeight / sizeOf(this.root) - around; // a chart is as much larger as its letters
    const width = this.root.clientWidth || window.innerWidth; // while another page is shown, it has none
    const height = width <= NARROW ? LEAST : Math.min(MOST, Math.max(LEAST, room));
    const layout = { ...people.figure.layout, height };
    this.dots.draw({ ...people, figure: { ...people.figure, layout } }, arrays);
    this.curves.draw(epsilons, arrays);
  }
}

export default pageOf(PeoplePage, { name: "people", css, saves: SAVES });
