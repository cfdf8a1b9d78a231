// The questions of a lesson on a site: each is drawn instead of its text, stored as on every page of lessons, and judged by
// Python in this browser, which is loaded for the first answer.
import { Engine } from "./live/engine.js";
import css from "./live/live.css";
import { PageModel } from "./live/model.js";
import { library, SERVED, site, workerOf } from "./live/place.js";
import { addStyle, h, setText } from "./page/dom.js";
import { isSettled, isWhole, onAnswers, onWhole } from "./question/store.js";

const SAID = {
  loading: "Python is being loaded into your browser; it judges your answer in a moment.",
  ready: "Your answers are judged in this browser and kept in it; they are not sent anywhere.",
  failed: "Python does not run in this browser, so answers are not judged here: a current browser can judge them.",
};
const JUDGED = "Your answers are judged by the server and kept only in this browser.";
const lines = [];
let engine = null;

const USUAL = site.served ? JUDGED : SAID.ready;

function told(state, reason) {
  say((site.served ? SERVED[reason ?? state] : SAID[state]) || USUAL);
}

// Below each question, but what always applies only below the first.
function say(words) {
  for (const line of lines) {
    setText(line, words);
    line.hidden = words === USUAL && line !== document.querySelector(".lmdk-live");
  }
}

class QuestionModel extends PageModel {
  send(...given) {
    if (!this.engine) {
      engine ??= new Engine(workerOf, site.code, told);
      told(engine.state);
      this.engine = engine;
      engine.open(this, { do: "ask" });
    }
    super.send(...given);
  }
}

async function question(place, name) {
  const { default: widget } = await library("question.js");
  const waits = place.parentElement.querySelector(":scope > [data-lmdk-waits]") !== null;
  const model = new QuestionModel(null, name, { traits: { asked: site.asked[name], _text_waits: waits } });
  instead(place, (el) => widget.render({ model, el, host: null }));
  const fold = place.parentElement.querySelector(":scope > details"); // what follows an answer
  const follow = () => {
    fold.open = isWhole() || isSettled(site.asked[name]);
    fold.querySelector("summary").hidden = fold.open;
  };
  if (fold) for (const on of [onAnswers, onWhole]) on(follow);
  if (fold) follow();
  const line = place.appendChild(h("p", { class: "lmdk-live" }));
  lines.push(line);
  say(lines[0].textContent || USUAL);
  addStyle(line, css, "live");
}

async function answers(place) {
  const { default: widget } = await library("answers.js");
  instead(place, (el) => widget.render({ model: new PageModel(null, "answers", { traits: site.answers }), el }));
}

// What stands around the place says the same as text; what follows a question stays.
function instead(place, draw) {
  for (const part of place.parentElement.querySelectorAll(":scope > :is(p, ul)")) part.hidden = true;
  draw(place.appendChild(h("div", {})));
}

for (const place of document.querySelectorAll("[data-lmdk-live]")) {
  const [what, name] = /** @type {HTMLElement} */ (place).dataset.lmdkLive.split(" ");
  if (what === "answers") answers(place);
  else if (site.asked[name]) question(place, name);
}
