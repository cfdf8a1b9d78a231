// What takes longer than a moment says so at the bottom of the window: a sentence, the share that is done if it is known, and
// buttons to stop it or to go on. One row for each thing in progress.
import { button, h, setText } from "./dom.js";

const SOON = 200; // milliseconds: what takes less is not worth mentioning

// How long something has taken so far, once that is worth saying.
export const soFar = (seconds) => (seconds < 1 ? " …" : `: ${seconds} s so far.`);

export class Waits {
  // toast: short confirmations, which lie above the rows
  constructor(element, toast) {
    this.rows = new Map();
    this.said = h("div", { class: "lmdk-offscreen", role: "status" }); // once for each row: its seconds are not read aloud
    this.tray = h("div", { class: "lmdk-tray" }, toast);
    element.append(this.tray, this.said);
  }

  // From the moment on when it is worth mentioning. words(seconds): [text, share]; buttons: [[text, act]].
  follow(name, words, buttons = []) {
    const known = this.rows.get(name);
    const row = known ?? { began: performance.now(), watch: setInterval(() => this.show(name), SOON) };
    this.rows.set(name, Object.assign(row, { words, buttons }));
    if (row.element) this.show(name);
  }

  // An update that takes longer than a moment.
  computing(on) {
    if (on && this.shows("change")) return; // one after another: it says so all the time
    this.end("change");
    if (on) this.follow("change", (seconds) => [`Computing${soFar(seconds)}`]);
  }

  // Background work, which every change ends: how far it is, or why it ended early.
  work({ busy, work }, send) {
    if (busy && work.text) this.follow("work", () => [work.text, work.share], [["Cancel", () => send({ type: "cancel" })]]);
    else this.end("work");
    if (!busy && work.text) this.stopped("work", work.text, [["Go on", () => send({ type: "resume" })]]);
  }

  shows(name) {
    return Boolean(this.rows.get(name)?.element);
  }

  // Now, and whenever its words change.
  show(name) {
    const row = this.rows.get(name);
    const [text, share] = row.words(Math.round((performance.now() - row.began) / 1000));
    if (!row.element) this.add(row, text);
    setText(row.text, text);
    if (share === undefined || share === null) row.bar.removeAttribute("value");
    else row.bar.value = share;
    if (row.labels !== row.buttons.map(([label]) => label).join()) {
      row.labels = row.buttons.map(([label]) => label).join();
      row.choices.replaceChildren(...row.buttons.map(([label], k) => button(label, () => row.buttons[k][1]())));
    }
  }

  add(row, text) {
    row.text = h("span", {});
    row.bar = h("progress", { max: "1", "aria-label": "How much is done" });
    row.choices = h("span", { class: "lmdk-progressbuttons" });
    row.element = h("div", { class: "lmdk-progress" }, row.text, row.bar, row.choices);
    this.tray.append(row.element);
    this.said.textContent = text;
  }

  // Something that ended early, and stays until it is closed or goes on.
  stopped(name, text, buttons) {
    this.follow(name, () => [text], [...buttons, ["Close", () => this.end(name)]]);
    this.show(name);
    this.rows.get(name).bar.hidden = true;
    clearInterval(this.rows.get(name).watch);
  }

  end(name) {
    const row = this.rows.get(name);
    clearInterval(row?.watch);
    row?.element?.remove();
    this.rows.delete(name);
    if (![...this.rows.values()].some(({ element }) => element)) this.said.textContent = ""; // what is over is not read again
  }

  remove() {
    for (const name of [...this.rows.keys()]) this.end(name);
  }
}
