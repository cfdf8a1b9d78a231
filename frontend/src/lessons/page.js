// The page of lessons: a tile for each, with a picture, its time, its goals, and how many of its questions are answered in
// this browser. A tile opens its lesson in the same tab: the session of this page ends, and that of the lesson begins.
import { tellSettings } from "../page/address.js";
import { addStyle, bullets, h, setText } from "../page/dom.js";
import { onPresent } from "../page/present.js";
import { lessonAddress } from "../page/server.js";
import style from "../page/style.css";
import { Terms } from "../page/terms.js";
import { onAnswers, saved } from "../question/store.js";
import css from "./lessons.css";
import { picture } from "./pictures.js";

export default {
  render({ model, el }) {
    const tiles = model.get("_lessons").map((lesson, k) => new Tile(lesson, k + 1));
    const list = h("ol", { class: "lmdk-tiles" }, ...tiles.map(({ element }) => element));
    const about = h("p", { class: "lmdk-paragraph" }, model.get("_about"));
    const root = h("div", { class: "lmdk-explorer lmdk-lessons" }, h("h1", {}, "Lessons"), about, list);
    el.append(root);
    addStyle(el, style);
    addStyle(el, css, "lessons");
    const terms = new Terms(root, model.get("_glossary"));
    const show = () => {
      const next = tiles.find((tile) => tile.left()); // the first one that is not done
      for (const tile of tiles) tile.show(tile === next);
    };
    show();
    terms.markAll();
    root.dataset.lmdkReady = "1";
    tellSettings(root, { link: "", left_out: [] }); // nothing of it is lost when its session ends: it goes on in another
    const ends = [onAnswers(show), onPresent(root, () => {}), () => terms.remove()];
    return () => ends.forEach((end) => end());
  },
};

class Tile {
  constructor({ name, title, minutes, goals, questions }, number) {
    this.questions = questions;
    const [short, long] = split(title);
    const address = lessonAddress(name);
    this.link = h(address ? "a" : "span", { href: address }, `${number} ${short}`);
    this.time = h("p", { class: "lmdk-tiletime" }, `${minutes[0]} to ${minutes[1]} minutes`);
    this.words = h("p", { class: "lmdk-tilewords" });
    this.bar = h("progress", { max: questions.length || 1, "aria-label": "Questions answered" });
    const how = address ? null : h("p", { class: "lmdk-meaning" }, "Opens with ", h("code", {}, `lmdk lesson ${name}`));
    const head = [h("h2", {}, this.link), h("p", {}, long), this.time];
    const learnt = h("div", { class: "lmdk-tilegoals" }, h("p", {}, "Afterwards you can"), bullets(goals));
    const come = h("div", { class: "lmdk-tilecome" }, this.words, this.bar);
    this.element = h("li", { class: "lmdk-tile", "data-lesson": name }, picture(name), ...head, learnt, how, come);
  }

  answers() {
    return this.questions.map(saved).filter((entry) => entry);
  }

  left() {
    return this.questions.length - this.answers().length;
  }

  show(next) {
    const answers = this.answers();
    const all = this.questions.length;
    const right = answers.filter((entry) => entry.right).length;
    const said = answers.length ? `${answers.length} of ${all} questions answered, ${right} right` : `${all} questions`;
    setText(this.words, all ? `${said}${all === answers.length ? ": done" : ""}.` : "To read and to try.");
    this.bar.value = answers.length;
    this.bar.hidden = !all;
    this.element.classList.toggle("lmdk-tilenext", next);
    this.element.classList.toggle("lmdk-tiledone", all > 0 && answers.length === all);
  }
}

// "Moments: what it is about" has a name and a rest; "k, l and t" are not words that could begin with a capital.
function split(title) {
  const at = title.indexOf(": ");
  const rest = title.slice(at + 2);
  return at < 0 ? [title, ""] : [title.slice(0, at), /^\p{L}\p{L}|^a\b/u.test(rest) ? rest[0].toUpperCase() + rest.slice(1) : rest];
}
