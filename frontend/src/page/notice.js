// Sentences for the user: refusals with the choices that resolve them, and short confirmations.
import { bullets, button, h, listed } from "./dom.js";
import { Waits } from "./waits.js";

const [SHOWN, FADES] = [4000, 400]; // milliseconds for which a confirmation is shown, and in which it fades

export class Notices {
  constructor(element) {
    this.panel = h("div", { class: "lmdk-error", role: "alert", hidden: true });
    this.fileWaits = (_on) => {}; // told while a file waits for an answer
    this.toast = h("div", { class: "lmdk-toast", role: "status", "aria-live": "polite" });
    element.append(this.panel);
    this.waits = new Waits(element, this.toast);
  }

  // choices: [{ text, act }]; pick: { label, values, act, listed } for a choice from a list; stays: a file waits for the answer; asks:
  // a question, not an error
  error(text, { rows = [], rowName = "line", more = 0, choices = [], pick = null, stays = false, asks = false } = {}) {
    this.stays = stays;
    this.fileWaits(stays);
    this.chooser?.remove();
    this.panel.className = asks ? "lmdk-error lmdk-note" : "lmdk-error";
    const close = () => this.clear();
    const buttons = choices.map(({ text: said, act }) => button(said, () => (close(), act())));
    this.panel.replaceChildren(h("p", {}, text));
    if (rows.length) {
      const list = grouped(rows).map(([reason, numbers]) => `${rowName}${numbers.length > 1 ? "s" : ""} ${ranges(numbers)}: ${reason}`);
      this.panel.append(bullets(more ? [...list, `and ${more.toLocaleString("en")} more`] : list));
    }
    if (pick) buttons.unshift(...this.picker(pick, close));
    this.closing = button("Close", close);
    this.panel.append(h("div", { class: "lmdk-choices" }, ...buttons, this.closing));
    this.panel.hidden = false;
    this.panel.scrollIntoView({ block: "nearest" });
  }

  // listed: whether all values are to be seen, such as names that nobody can guess
  picker({ label, values, preset, act, listed: seen = false }, close) {
    if (seen) {
      const select = h("select", { "aria-label": label, class: "lmdk-pick" }, ...values.map((value) => h("option", { value }, value)));
      return [h("label", {}, `${label} `, select), button("Use it", () => (close(), act(select.value)))];
    }
    const id = `lmdk-pick-${Math.random().toString(36).slice(2)}`;
    const input = h("input", { "aria-label": label, list: id, value: preset, class: "lmdk-pick" });
    const list = h("datalist", { id }, ...values.map((value) => h("option", { value })));
    const go = button("Use it", () => (close(), act(input.value)));
    return [h("label", {}, `${label} `, input), list, go];
  }

  // A part in which something is chosen for the file that was refused, below what was said of it; make(close) gives it, with
  // a button that closes both.
  choose(make) {
    this.chooser?.remove();
    this.closing?.remove();
    const chooser = make(() => this.clear());
    this.chooser = chooser.element;
    this.panel.after(this.chooser);
    chooser.focus();
    this.chooser.scrollIntoView({ block: "nearest" });
  }

  // A sentence that stays until it is closed or something else is asked for.
  note(text) {
    this.error(text);
    this.panel.className = "lmdk-error lmdk-note";
  }

  // Something on the page is broken: the sentence stays whatever else is asked for.
  fault(text) {
    const close = button("Close", () => panel.remove());
    const panel = h("div", { class: "lmdk-error", role: "alert" }, h("p", {}, text), h("div", { class: "lmdk-choices" }, close));
    this.panel.before(panel);
  }

  // Nobody answers: the sentence stays until somebody does.
  away(text) {
    this.missing = h("div", { class: "lmdk-error", role: "alert" }, h("p", {}, text));
    this.panel.before(this.missing);
    this.missing.scrollIntoView({ block: "nearest" });
  }

  back() {
    this.missing.remove();
  }

  // The next request succeeded: an older refusal no longer matters, unless its file is still waiting for an answer.
  passed() {
    if (!this.stays) this.clear();
  }

  clear() {
    this.stays = false;
    this.fileWaits(false);
    this.chooser?.remove();
    this.panel.hidden = true;
    this.panel.replaceChildren();
  }

  say(text) {
    this.toast.textContent = text;
    this.toast.classList.add("lmdk-shown");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.unsaid(), SHOWN);
  }

  // A live region keeps no message that is over: a screen reader that looks at it would find it again.
  unsaid() {
    this.toast.classList.remove("lmdk-shown");
    this.timer = setTimeout(() => (this.toast.textContent = ""), FADES);
  }
}

// The rows of each reason, in the order in which the reasons come.
function grouped(rows) {
  const byReason = new Map();
  for (const [number, reason] of rows) byReason.set(reason, [...(byReason.get(reason) ?? []), number]);
  return [...byReason];
}

// 3, 5 to 9 and 12
function ranges(numbers) {
  const runs = [];
  for (const number of numbers) {
    if (runs.length && runs.at(-1)[1] === number - 1) runs.at(-1)[1] = number;
    else runs.push([number, number]);
  }
  return listed(runs.flatMap(([a, b]) => (b <= a + 1 ? [...new Set([a, b])] : [`${a} to ${b}`])));
}
