// The answers to a lesson: how many of its questions are answered, a file with the answers, a way to forget them, and the
// way on to the next lesson.
import { addStyle, button, details, download, h, setText, switchButton } from "./page/dom.js";
import { lessonAddress, server } from "./page/server.js";
import style from "./page/style.css";
import css from "./question/question.css";
import { forget, isWhole, onAnswers, onWhole, saved, showWhole } from "./question/store.js";

const WHOLE = "#whole"; // at the end of an address: the lesson is opened with all its answers

export default {
  render({ model, el }) {
    const lesson = model.get("lesson");
    const answers = new Answers(lesson, model.get("_title"), model.get("_questions"));
    el.append(answers.root, onward(model.get("_next")));
    addStyle(el, style);
    addStyle(el, css, "question");
    const address = () => location.hash === WHOLE && showWhole(true);
    window.addEventListener("hashchange", address);
    const unbind = [onAnswers(() => answers.show()), onWhole(() => answers.showFolds())];
    address();
    return () => {
      window.removeEventListener("hashchange", address);
      for (const end of unbind) end();
    };
  },
};

// The way to the next lesson and back to all of them; a notebook names the next one, as it has no server that opens it.
function onward(next) {
  const address = next.name && lessonAddress(next.name);
  const all = server() === null ? null : h("p", {}, h("a", { href: `${server()}?page=lessons` }, "← All lessons"));
  const notebook = next.name && !address ? [" (notebook ", h("code", {}, `${next.name}.ipynb`), ")"] : [];
  const way = h("p", {}, address ? h("a", { href: address }, `${next.said} →`) : next.said, ...notebook);
  return h("nav", { class: "lmdk-explorer lmdk-alone lmdk-onward", "aria-label": "Other lessons" }, way, all);
}

// Goes to a question on this page, with the focus on its first control.
function goTo({ name }) {
  const question = document.querySelector(`[data-question="${name}"]`);
  /** @type {HTMLElement} */ (question?.querySelector(".lmdk-foldbutton[aria-expanded=false]"))?.click();
  question?.scrollIntoView({ block: "start" });
  /** @type {HTMLElement} */ (question?.querySelector("input, button:not([hidden]), [tabindex='0']"))?.focus({ preventScroll: true });
}

class Answers {
  constructor(lesson, title, questions) {
    this.lesson = lesson;
    this.title = title;
    this.questions = questions;
    this.words = h("p", { role: "status", "aria-live": "polite" });
    this.bar = h("progress", { max: questions.length, "aria-label": "Questions answered" });
    this.list = h("ul", { class: "lmdk-answerlist" });
    this.save = button("Save my answers", () => this.toFile());
    this.forget = button("Forget my answers", () => this.ask(true));
    this.sure = h(
      "span",
      {},
      "Forget all answers of this lesson? ",
      button("Yes, forget", () => this.forgetAll()),
      " ",
      button("Keep", () => this.ask(false)),
    );
    this.whole = switchButton("Show the whole lesson", isWhole(), showWhole);
    const buttons = h("div", { class: "lmdk-choices" }, this.save, this.forget, this.whole, this.sure);
    const stays = "Your answers are kept in this browser and nowhere else.";
    const progress = h("div", { class: "lmdk-answered" }, this.words, this.bar);
    const parts = [progress, details("The questions", this.list), buttons, h("p", { class: "lmdk-meaning" }, stays)];
    this.root = h("section", { class: "lmdk-explorer lmdk-alone lmdk-question lmdk-answers", "aria-label": "Your answers" }, ...parts);
    this.ask(false);
    this.show();
  }

  entries() {
    return this.questions.map((question) => ({ question, entry: saved(question) }));
  }

  show() {
    const entries = this.entries();
    const answered = entries.filter(({ entry }) => entry);
    const right = answered.filter(({ entry }) => entry.right).length;
    this.bar.value = answered.length;
    setText(this.words, `${answered.length} of ${entries.length} questions answered${answered.length ? `, ${right} of them right` : ""}.`);
    const rows = entries.map(({ question, entry }) => {
      const [sign, how] = entry ? (entry.right ? ["✓", "right"] : ["✗", "not right yet"]) : ["○", "not answered yet"];
      const sight = h("span", { class: "lmdk-sign", role: "img", "aria-label": how, title: how }, sign);
      const text = button(question.text, () => goTo(question), { class: "lmdk-goto" });
      return h("li", {}, sight, text);
    });
    this.list.replaceChildren(...rows);
    this.save.disabled = this.forget.disabled = !answered.length;
  }

  // In a whole lesson, solutions and sources are open too.
  showFolds() {
    this.whole.ariaPressed = String(isWhole());
    const texts = ":is(.lmdk-text, .jp-RenderedMarkdown, article > section, article .lmdk-reading)";
    for (const fold of document.querySelectorAll(`${texts} details`)) /** @type {HTMLDetailsElement} */ (fold).open = isWhole();
  }

  ask(on) {
    this.sure.hidden = !on;
    this.forget.hidden = on;
    if (on) this.sure.querySelector("button").focus();
  }

  forgetAll() {
    this.ask(false);
    forget(this.questions.map(({ name }) => name));
  }

  toFile() {
    const answered = this.entries().filter(({ entry }) => entry);
    const answers = answered.map(({ question, entry }) => ({
      question: question.name,
      text: question.text,
      answer: entry.said,
      right: entry.right,
      words: entry.words,
    }));
    const content = { lesson: this.lesson, title: this.title, questions: this.questions.length, answers };
    download(`answers-${this.lesson}.json`, "application/json", JSON.stringify(content, null, 2));
  }
}
