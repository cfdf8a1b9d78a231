// What an attacker who follows the track infers: the beliefs on the map, how good they are over time, and the sentences, from
// the same description. Computed only while its tab is open.
import { bullets, button, details, h } from "../page/dom.js";
import { dataUpload } from "../page/fields.js";
import { bound, percent } from "../page/format.js";
import { fileGoes } from "../page/server.js";
import { Beliefs } from "./beliefs.js";
import { Timeline } from "./timeline.js";

const KNOWLEDGE = ["attacker.start", "attacker.moves", "attacker.step_m", "attacker.cells"];
const UPLOADS = [
  "Check-ins of many people: one per line, under a heading that names latitude and longitude; commas, semicolons or tabs between columns.",
  "A column named count says how many check-ins a line represents; other columns are ignored.",
  `${fileGoes()} No link contains any of it. Another track starts without it.`,
];

export class Adversary {
  // element: of the tab; beside: below the map; store: what the page knows; map() and cellsOf: to draw on;
  // act: { ask(name, value, commit), hover(index), toggle(index), upload(file), go(setting), save(what, text), keep(view) };
  constructor(element, beside, { store, map, cellsOf, act }) {
    this.store = store;
    this.act = act;
    /** @type {any} */
    this.timeline = null;
    this.beliefs = new Beliefs({
      map,
      cellsOf,
      write: (length) => store.write(length),
      series: () => store.track?.series,
      nameOf: (at) => this.nameOf(at),
      count: () => store.track?.n ?? 0,
      go: (at, ended, here) => (ended || !here) && act.ask("attacker.at", at, ended), // the kernel is told at the end of the move
    });
    beside.append(this.beliefs.element);
    this.averaged = h("div", { class: "lmdk-averaged" });
    this.found = h("div", { class: "lmdk-found" });
    this.notes = h("div", { class: "lmdk-meaning" });
    this.knowledge = h("div", { class: "lmdk-pair" });
    this.follow = h(
      "p",
      { class: "lmdk-choices" },
      h("span", { class: "lmdk-ofmap" }, "Belief in one cell over time: click it on the map, or choose"),
      h("span", { class: "lmdk-ofaxis" }, "Belief in one level or answer over time: choose"),
      button("the true one", () => this.pick("truth")),
      button("the best guess", () => this.pick("guess")),
      button("none", () => act.ask("attacker.cell", -1, true)),
    );
    this.panels = h("div", {});
    this.foldsPlace = h("div", {});
    const parts = [
      h("h3", {}, "Averaging, knowing when"),
      this.averaged,
      h("h3", {}, "Following the whole release"),
      this.found,
      this.knowledge,
      this.follow,
      this.panels,
      this.notes,
      this.foldsPlace,
    ];
    element.append(h("div", { class: "lmdk-adversary" }, ...parts));
  }

  controls(field) {
    this.checkins = h("div", {}, ...dataUpload("Upload check-ins", ".csv,.txt,.tsv", this.act.upload), details("What can be uploaded", bullets(UPLOADS)));
    this.knowledge.replaceChildren(...KNOWLEDGE.map((name) => (name === "attacker.start" ? field(name, this.checkins) : field(name))));
  }

  // A track of other places: no earlier belief is valid.
  forget() {
    this.beliefs.forget();
    this.timeline?.setTrack(this.store.track);
  }

  show(choices, inferred, exposed) {
    this.wanted = choices["attacker.open"];
    this.picked = choices["attacker.cell"];
    if (!this.wanted) {
      this.beliefs.hide();
      return;
    }
    const { found, notes } = inferred;
    this.checkins.hidden = choices["attacker.start"] !== "people";
    this.averaged.replaceChildren(...exposed.map((text) => h("p", {}, text)));
    this.found.replaceChildren(...found.map((text) => h("p", {}, text)));
    this.notes.replaceChildren(bullets(notes));
    this.beliefs.show(choices["attacker.at"], choices["attacker.cell"]);
  }

  nameOf(at) {
    const { store } = this;
    return store.track ? `${store.name(at)}${store.landmarks.has(at) ? " ◆" : ""}` : "";
  }

  // The belief in a cell over time: a cell, or by its name among what is believed now.
  pick(which) {
    const cell = typeof which === "string" ? this.beliefs.cellNamed(which) : which;
    if (cell !== undefined) this.act.ask("attacker.cell", cell === this.picked ? -1 : cell, true);
  }

  drawPanels(figure, arrays) {
    if (!this.timeline) {
      const { series } = this.store.track;
      const writes = { yaxis: percent, yaxis2: bound, yaxis3: (value) => this.store.write(value) };
      this.timeline = new Timeline(this.panels, this.act, {
        label: `What the attacker infers about each ${series ? "level or answer" : "cell"}`,
        writes,
        save: this.act.picture,
      });
      this.timeline.setTrack(this.store.track);
      this.timeline.span = this.store.span;
    }
    this.timeline.draw(figure, arrays);
    this.timeline.label(
      `The attacker’s chance of the true ${this.store.track?.series ? "level or answer" : "cell"}, what was learned, and the error, at each timestamp.`,
    );
  }

  hovered(index) {
    this.timeline?.setHovered(index);
  }

  setSpan(span) {
    this.timeline?.setSpan(span);
  }

  recolour() {
    this.timeline?.recolour();
  }

  remove() {
    this.beliefs.remove();
    this.timeline?.remove();
  }
}
