// What an attacker believes, below the map that shows it: a legend, a slider over the timestamps, and a sentence on the one
// that is looked at. The page and the map widget use it; it draws what it is given and computes nothing.
import { h, setText } from "../page/dom.js";
import { metres, percent } from "../page/format.js";
import { Player } from "./player.js";

const SWATCHES = ["0.1 %", "0.3 %", "1 %", "3 %", "10 %", "30 %"];
const EMPTY = { cells: null, beliefs: null };

export class Beliefs {
  // map(): to draw on; cellsOf: makes cells of arrays; nameOf(index): the name of a timestamp; count(): of timestamps;
  // go(index, ended, here): a timestamp is looked at; here: whether its beliefs could be drawn; write(length): as people say it;
  // series(): what is known about a series instead of a track, or nothing
  constructor({ map, cellsOf, nameOf, count, go, write = metres, series = () => null }) {
    this.map = map;
    this.cellsOf = cellsOf;
    this.nameOf = nameOf;
    this.count = count;
    this.act = { go };
    this.write = write;
    this.series = series;
    /** @type {{ cells: any, beliefs: any }} */
    this.told = { ...EMPTY };
    this.at = 0;
    this.picked = -1;
    this.player = new Player({ go: (at, ended) => this.go(at, ended), name: nameOf });
    this.readout = h("p", { class: "lmdk-readout lmdk-believed" });
    this.element = h("div", { class: "lmdk-adversarymap", hidden: true }, legend(), this.player.element, this.readout);
  }

  // A track of other places: no earlier belief is valid.
  forget() {
    this.player.stop();
    this.told = { ...EMPTY };
  }

  hide() {
    if (this.element.hidden) return; // nothing of it is on the map
    this.element.hidden = true;
    this.forget();
    this.map().setHeat(null);
  }

  // picked: the cell that is looked at over time, or -1
  show(at, picked) {
    this.element.hidden = false;
    this.picked = picked;
    this.at = this.player.busy ? this.player.at : at;
    this.showPlayer();
    this.draw();
  }

  setCells(message, arrays) {
    this.told.cells = arrays.edges ? { names: message.names, edges: arrays.edges } : this.cellsOf({ ...message, ...arrays });
    this.told.beliefs = null; // those of other cells
  }

  setBeliefs({ at, whole, shares }, arrays) {
    this.told.beliefs = { ...arrays, first: at, whole, shares };
    this.showPlayer();
    this.draw();
  }

  showPlayer() {
    const n = this.count();
    if (!n) return; // the track comes after the first choices
    this.at = Math.min(this.at, n - 1);
    this.player.show(n, this.at, Boolean(this.told.beliefs?.whole));
  }

  // The timestamp that is looked at: shown at once where its bytes are here.
  go(at, ended) {
    this.at = at;
    this.act.go(at, ended, this.draw());
  }

  // Whether the beliefs of the timestamp were there to be drawn.
  draw() {
    const { cells, beliefs } = this.told;
    if (this.element.hidden || !cells || !beliefs || !this.count() || beliefs.path.length !== this.count()) return false;
    const m = cells.names.length;
    if (!beliefs.whole && beliefs.first !== this.at) return false;
    const start = beliefs.whole ? this.at * m : 0;
    const marks = beliefs.marks.subarray(start, start + m);
    const at = { guess: beliefs.guess[this.at], truth: beliefs.truth[this.at], step: beliefs.path[this.at] };
    const picked = this.picked < m ? this.picked : -1;
    this.map().setHeat({ cells, marks, path: beliefs.path, picked, ...at, all: beliefs, now: this.at });
    setText(this.readout, this.numbersOf(marks));
    this.element.dataset.lmdkAt = String(this.at);
    return true;
  }

  numbersOf(marks) {
    const { beliefs } = this.told;
    const kind = this.series()?.kind;
    if (kind === "answers") return this.answersOf();
    const noun = kind ? "level" : "cell";
    const inside = (bit) =>
      counted(
        noun,
        marks.reduce((sum, mark) => sum + (mark & bit ? 1 : 0), 0),
      );
    const [half, most] = beliefs.shares.map((share) => percent(share));
    const off = (state) => {
      const away = `${this.write(beliefs[`${state}_error_m`][this.at])} off`;
      return beliefs[state][this.at] === beliefs.truth[this.at] ? `in the true ${noun}, ${away}` : away;
    };
    return (
      `${this.nameOf(this.at)}: the attacker gives ${kind ? "the" : "your"} true ${noun} ${percent(beliefs.right[this.at])}. The best guess is ${off("guess")}, the ` +
      `likeliest path ${off("path")}. ${half} of the belief lies in ${inside(16)}, ${most} in ${inside(8)}.`
    );
  }

  answersOf() {
    const { beliefs } = this.told;
    const answer = (name) => `“${this.series().answers[beliefs[name][this.at]]}”`;
    return (
      `${this.nameOf(this.at)}: the attacker gives the true answer ${percent(beliefs.right[this.at])}. The best guess is ${answer("guess")}, the ` +
      `likeliest path says ${answer("path")}.`
    );
  }

  // The cell that goes by a name among what is believed now: "truth" or "guess"; nothing while that is not known.
  cellNamed(name) {
    return this.told.beliefs?.[name][this.at];
  }

  remove() {
    this.player.remove();
  }
}

const counted = (noun, count) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

function legend() {
  const swatch = (text, k) =>
    h("span", { class: "lmdk-notanswers" }, h("span", { class: "lmdk-swatch", style: `background: var(--lmdk-p${k + 2})` }), `${text} `);
  const mark = (name, sign, text, where = "") =>
    h("span", { class: where }, h("span", { class: `lmdk-key lmdk-key-${name}`, "aria-hidden": "true" }, sign), ` ${text}  `);
  return h(
    "p",
    { class: "lmdk-legend lmdk-heatlegend" },
    h("span", { class: "lmdk-notanswers" }, "Believed from "),
    ...[
      ...SWATCHES.map(swatch),
      h(
        "span",
        { class: "lmdk-ofanswers" },
        h("span", { class: "lmdk-swatch", style: "background: var(--lmdk-p5)" }),
        "how likely the attacker takes the upper answer to be",
      ),
      mark("ink", "★", "best guess"),
      mark("path", "◆┄", "likeliest path"),
      mark("regular", "□", "true cell", "lmdk-ofmap"),
      mark("ink", "▭", "half of the belief", "lmdk-ofmap"),
      mark("ink", "⬚", "95 % of it", "lmdk-ofmap"),
    ].flatMap((each) => [each, " "]),
  );
}
