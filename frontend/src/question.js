// A question of a lesson as a widget: the kernel judges, the browser keeps what was answered, and what follows the question
// is hidden until there is an answer. A page without a kernel takes `mount` from this bundle, and answers for itself.

import { fill } from "./page/child.js";
import { h } from "./page/dom.js";
import { mount } from "./question/mount.js";
import { isSettled, isWhole, keep, onAnswers, onWhole, saved } from "./question/store.js";

export { mount } from "./question/mount.js";
export { forget, keep, onAnswers, saved } from "./question/store.js";

export default {
  render({ model, el, host }) {
    const asked = model.get("asked");
    const kernel = new Kernel(model);
    const told = (given, { right, words, tries, again }, said) => {
      keep(asked, { given, said, right, words, tries, again });
      follow();
    };
    const question = mount(el, asked, { answer: (given) => kernel.judge(given), told, folds: true });
    const recall = () => {
      const before = saved(asked);
      if (!before) return;
      question.recall(before);
      if (near) question.again(before.given, before.tries, before.again === false);
    };
    let near = false;
    const unwatch = whenNear(el, () => {
      near = true;
      if (!isWhole()) recall();
    });
    const note = h("p", { class: "lmdk-thennote" }, "What follows appears once your answer is right or the answer is shown.");
    const then = h("div", { class: "lmdk-then", hidden: true });
    const waits = model.get("_text_waits");
    if (waits || model.get("_follows")) el.append(h("div", { class: "lmdk-explorer lmdk-alone" }, note), then);

    function follow() {
      const answered = isWhole() || isSettled(asked);
      for (const text of waits ? textBehind(el) : []) text.hidden = !answered;
      note.hidden = answered;
      then.hidden = !answered;
      if (answered) fill(then, model.get("_then"), host);
    }
    const forgotten = (names) => {
      if (!names.includes(asked.name)) return;
      if (!saved(asked)) question.clear();
      follow();
    };
    const whole = async () => {
      if (isWhole()) question.present(await kernel.ask({ type: "solve" }));
      else {
        question.clear();
        recall();
      }
      follow();
    };
    model.on("change:_then", follow);
    if (isWhole()) whole();
    else recall();
    follow();
    const unbind = [onAnswers(forgotten), onWhole(whole)];
    return () => {
      model.off("change:_then", follow);
      for (const end of unbind) end();
      unwatch();
      kernel.remove();
      question.remove();
    };
  },
};

// The text of a lesson that is a page, of a kernel or without one, up to the next heading or output; elsewhere there is none.
function textBehind(el) {
  const found = [];
  let cell = el.closest(".lmdk-slot, article > .cell")?.nextElementSibling; // one for each cell of code
  for (; cell?.matches(".lmdk-text, article > section") && !cell.querySelector("h1, h2, h3"); cell = cell.nextElementSibling) found.push(cell);
  return found;
}

// Acts once, when an element is less than a screen away: a lesson that is opened again then makes what follows its answers
// one after another, and not all at once. Returns a function that ends the wait.
function whenNear(element, act) {
  const watch = new IntersectionObserver(
    (seen) => {
      if (!seen.some((entry) => entry.isIntersecting)) return;
      watch.disconnect();
      act();
    },
    { rootMargin: "100% 0px" },
  );
  watch.observe(element);
  return () => watch.disconnect();
}

// Asks the kernel for verdicts; each view gets the answers to its own questions.
class Kernel {
  constructor(model) {
    this.model = model;
    this.view = Math.random().toString(36).slice(2);
    this.serial = 0;
    this.waiting = new Map();
    this.receive = (message) => {
      if (message.view !== this.view || !this.waiting.has(message.id)) return;
      const { resolve, reject } = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      if (message.type === "verdict") resolve(message.verdict);
      else reject(new Error(message.text));
    };
    model.on("msg:custom", this.receive);
  }

  judge(given) {
    return this.ask({ type: "judge", given });
  }

  ask(message) {
    const id = ++this.serial;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.model.send({ ...message, id, view: this.view });
    });
  }

  remove() {
    this.model.off("msg:custom", this.receive);
  }
}
