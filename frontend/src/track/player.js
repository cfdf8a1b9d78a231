// A slider over the timestamps with a button that plays them, below the map. With reduced motion, it goes step by step.
import { button, h, setAttributes, setText } from "../page/dom.js";

const LONG = 200; // steps of the way through a long track
const [SLOW, FAST] = [800, 150]; // milliseconds of a step of a short track, and of a long one
const FEW = 40; // timestamps of a short track

const still = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

export class Player {
  // go(index, ended): the timestamp that is looked at; ended: the way there is over; name(index): how it is called
  constructor({ go, name }) {
    this.act = { go, name };
    this.at = 0;
    this.n = 1;
    this.play = button("Play", () => this.pressed(), { class: "lmdk-play" });
    this.range = h("input", { type: "range", min: "0", max: "0", step: "1", "aria-label": "Timestamp on the map" });
    this.said = h("span", { class: "lmdk-playername" });
    const id = `lmdk-player-${Math.random().toString(36).slice(2)}`;
    const ends = h("div", { class: "lmdk-ends", id }, h("span", {}, "first"), h("span", { class: "lmdk-offscreen" }, " to "), h("span", {}, "last"));
    this.range.setAttribute("aria-describedby", id);
    const group = { class: "lmdk-field lmdk-player", role: "group", "aria-label": "Through the timestamps" };
    this.element = h("div", group, this.play, this.range, this.said, ends);
    this.range.addEventListener("input", () => this.slid(false));
    this.range.addEventListener("change", () => this.slid(true));
  }

  get playing() {
    return Boolean(this.timer);
  }

  // Whether the user is on the way: what the kernel tells then is older.
  get busy() {
    return this.playing || this.range.matches(":active");
  }

  // able: whether every timestamp can be shown at once
  show(n, at, able) {
    this.n = n;
    this.able = able;
    this.range.max = String(n - 1);
    if (!this.busy) this.place(at);
    this.label();
  }

  place(at) {
    this.at = Math.max(0, Math.min(this.n - 1, at));
    this.range.value = String(this.at);
    const name = this.act.name(this.at);
    setText(this.said, name);
    setAttributes(this.range, { "aria-valuetext": name });
  }

  slid(ended) {
    this.stop();
    this.place(Number(this.range.value));
    this.act.go(this.at, ended);
  }

  pressed() {
    if (this.playing) return this.pause();
    const next = this.at >= this.n - 1 ? 0 : this.at + 1;
    if (still() || !this.able) {
      this.place(next);
      this.act.go(this.at, true);
      return;
    }
    this.timer = setInterval(() => this.step(), this.n <= FEW ? SLOW : FAST);
    this.place(next);
    this.act.go(this.at, false);
    this.label();
  }

  step() {
    const next = Math.min(this.n - 1, this.at + Math.max(1, Math.round(this.n / LONG)));
    this.place(next);
    if (next === this.n - 1) this.pause();
    else this.act.go(next, false);
  }

  pause() {
    this.stop();
    this.act.go(this.at, true);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.label();
  }

  label() {
    setText(this.play, this.playing ? "Pause" : still() || !this.able ? "Next" : "Play");
  }

  remove() {
    clearInterval(this.timer);
  }
}
