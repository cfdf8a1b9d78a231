// A question on any page: in a notebook, where a kernel judges, or on a student's phone, where a server does. It is given
// the question, calls back with the answer, and shows the verdict; it does not know the right answer beforehand.
//
//   const question = mount(element, asked, { answer: async (given) => verdict, saved: given, told })
//
// answer: resolves to { words, right, closeness, answer, solution }; where `right` is missing, as in a poll that is still
//   open, the words alone are shown. It rejects with an Error whose message is a sentence for the student.
// saved: an answer given before; it is shown and judged again. tries: which try it was.
// verb: what the button says.
// closed: what is said once no more answers are accepted: nothing can be changed, and the right answer is shown with the verdict.
// told(given, verdict, said): after every verdict, its words as they are shown, with the number of wrong `tries`, and whether it
//   can be tried `again`; said: the answer as words or numbers that a reader understands.
// folds: once an answer is right, the question folds to a line with its verdict, and a button opens it again.
//
// A wrong number can be tried once more: its verdict says what that number is, and the right one (`solution`) is told after
// the second wrong one, or when the student asks for it.
import { addStyle, button, h, setText } from "../page/dom.js";
import style from "../page/style.css";
import { Choose } from "./choose.js";
import { Curve } from "./curve.js";
import { NumberAnswer } from "./number.js";
import { Order } from "./order.js";
import { Point } from "./point.js";
import css from "./question.css";

const KINDS = { choose: Choose, curve: Curve, number: NumberAnswer, order: Order, point: Point };
const SIGNS = { right: "✓", close: "≈", wrong: "✗", said: "", refused: "⚠" };
const NEAR = 1 / 16; // closeness of an answer four tolerances off
const AGAIN = "Try once more.";

let serial = 0;

export function mount(element, asked, { answer, saved = undefined, tries = 1, told = () => {}, verb = "Check", closed = "", folds = false }) {
  const question = new Question(asked, answer, told, verb, closed, folds);
  element.append(question.root);
  addStyle(element, style);
  addStyle(question.root, css, "question");
  if (saved !== undefined && saved !== null) question.again(saved, tries);
  return question;
}

class Question {
  constructor(asked, answer, told, verb, closed, folds) {
    this.verb = verb;
    this.open = !closed;
    this.folds = folds;
    this.wrong = 0; // different wrong answers so far
    this.last = ""; // the latest of them
    this.gaveUp = false; // asked for the answer
    this.asked = asked;
    this.answer = answer;
    this.told = told;
    const label = `lmdk-question-${++serial}`;
    this.body = new KINDS[asked.kind](asked, { label, changed: () => this.changed(), check: () => this.check() });
    const text = h("p", { class: "lmdk-questiontext", id: label }, asked.text);
    this.folder = button("", () => this.fold(!this.folded), { class: "lmdk-foldbutton", hidden: true });
    const hint = !closed && this.body.hint && h("p", { class: "lmdk-meaning" }, this.body.hint);
    this.body.element.inert = !!closed;
    this.button = button(closed || verb, () => this.check(), { class: closed ? "lmdk-closedbutton" : "lmdk-checkbutton", disabled: !!closed });
    this.shower = button("Show the answer", () => this.giveUp(), { hidden: true });
    this.sign = h("span", { class: "lmdk-sign", "aria-hidden": "true" });
    this.words = h("span", {});
    this.verdict = h("p", { class: "lmdk-verdict", role: "status", "aria-live": "polite", "data-how": "said" }, this.sign, this.words);
    const controls = h("div", { class: "lmdk-choices" }, this.button, this.shower, this.folder);
    const parts = [text, hint, this.body.element, controls, this.verdict];
    const frame = { class: "lmdk-explorer lmdk-alone lmdk-question", "aria-labelledby": label, "data-question": asked.name, "data-kind": asked.kind };
    this.root = h("section", frame, ...parts);
    this.hides = [hint, this.body.element, this.button].filter(Boolean);
  }

  // To a line with the verdict, or open. within: whoever worked in it is then at the button that opens it again.
  fold(on, within = false) {
    this.folded = on;
    this.root.toggleAttribute("data-folded", on);
    for (const part of this.hides) part.hidden = on;
    this.folder.hidden = !this.folds;
    this.folder.ariaExpanded = String(!on);
    this.folder.textContent = on ? "Open" : "Fold";
    if (!within) return;
    this.folder.focus({ preventScroll: true });
    this.root.scrollIntoView({ block: "nearest" });
  }

  // The answer differs from the one that was judged: the verdict does not belong to it.
  // Its room stays until the next verdict, so that the page does not move under a curve that is being drawn.
  changed() {
    this.verdict.style.minHeight = `${this.verdict.offsetHeight}px`;
    this.say("said", "");
    if (!this.judged) return;
    this.judged = null;
    this.folder.hidden = true; // nothing is said of this answer yet
    this.button.textContent = `${this.verb} again`;
    this.shower.hidden = true;
  }

  // An answer given before that was right, with what was said of it: a line, before anyone judges it again.
  recall({ given, right, words }) {
    if (!right || !this.body.fits(given)) return;
    this.say("right", words);
    this.fold(true);
  }

  // Shows an answer given before, with the number of its try, and has it judged again; whether the right one was shown then.
  again(given, tries = 1, gaveUp = false) {
    if (!this.body.fits(given)) return;
    this.body.set(given);
    this.gaveUp = gaveUp;
    this.wrong = Math.max(0, tries - 1);
    this.check();
  }

  // A right answer that nobody gave, for readers who want to see everything.
  present(verdict) {
    this.asking = null;
    this.body.set(verdict.given);
    this.fold(false);
    this.folder.hidden = true;
    this.show(verdict);
  }

  async check() {
    const given = this.body.given();
    if (given === null) return this.say("refused", this.body.missing);
    const asking = (this.asking = {});
    const within = this.root.contains(document.activeElement);
    this.button.disabled = true;
    try {
      const verdict = await this.answer(given);
      if (asking !== this.asking || this.removed) return;
      this.count(given, verdict);
      this.show(verdict);
      if (this.folds && verdict.right) this.fold(true, within);
      this.tell(given);
    } catch (/** @type {any} */ error) {
      if (asking === this.asking) this.say("refused", error.message);
    } finally {
      if (asking === this.asking) this.button.disabled = !this.open;
    }
  }

  tell(given) {
    const about = { ...this.judged, words: this.words.textContent, tries: this.wrong, again: this.canTryAgain() };
    this.told(given, about, this.body.said(given));
  }

  canTryAgain() {
    return this.open && this.judged.right === false && !this.gaveUp && this.wrong < (this.body.tries ?? 1);
  }

  giveUp() {
    this.gaveUp = true;
    this.reveal();
    this.tell(this.body.given());
  }

  // The same answer checked twice counts as one try.
  count(given, { right }) {
    const answer = JSON.stringify(given);
    if (right !== false || answer === this.last) return;
    this.last = answer;
    this.wrong += 1;
  }

  // Shows a verdict; also one that comes later, as when a teacher shows the answer to the class.
  show(verdict) {
    this.judged = verdict;
    const { right, closeness } = verdict;
    const how = right === undefined ? "said" : right ? "right" : closeness >= NEAR && this.asked.kind !== "order" ? "close" : "wrong";
    this.verdict.style.minHeight = "";
    const showable = verdict.answer !== undefined && verdict.answer !== null;
    const hides = this.canTryAgain();
    this.say(how, hides && verdict.solution ? `${verdict.words} ${AGAIN}` : verdict.words);
    this.shower.hidden = !(showable && hides);
    if (showable && !hides) this.reveal();
  }

  reveal() {
    this.shower.hidden = true;
    this.body.reveal(this.judged.answer);
    const { words, solution } = this.judged;
    if (solution) setText(this.words, `${words} ${solution}`);
  }

  say(how, words) {
    this.verdict.dataset.how = how;
    setText(this.sign, SIGNS[how]);
    setText(this.words, words);
  }

  // Restores the state before any answer.
  clear() {
    this.asking = this.judged = null;
    this.wrong = 0;
    this.gaveUp = false;
    this.last = "";
    this.body.clear();
    this.say("said", "");
    this.fold(false);
    this.folder.hidden = this.shower.hidden = true;
    this.button.disabled = false;
    this.button.textContent = this.verb;
  }

  remove() {
    this.removed = true;
    this.body.remove?.();
    this.root.remove();
  }
}
