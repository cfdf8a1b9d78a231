// A student's page: the present question, drawn again only when it changes.
import { h } from "../page/dom.js";
import { council } from "./phone_council.js";
import { duel } from "./phone_duel.js";
import { guess } from "./phone_guess.js";
import { poll } from "./phone_poll.js";
import { response } from "./phone_response.js";
import { follow, LOST } from "./wire.js";

const DRAW = { response, guess, poll, duel, council };
const WAIT = "You are in. The next question appears by itself: keep this page open.";
const OVER = "That question is over.";
const main = document.querySelector("main");
const lost = h("p", { class: "class-notice", role: "alert", hidden: true }, LOST);
const notices = h("p", { class: "class-notice", role: "alert", hidden: true });
const place = h("div", {});
const code = h("p", { class: "class-small class-mycode" });
let shown = "";

function notice(text) {
  notices.textContent = text;
  notices.hidden = !text;
}

function show({ question, mine, code: mark }) {
  code.textContent = `No name; your code for marks: ${mark}.`;
  const now = JSON.stringify([question?.key, question?.status, mine.told, !!mine.dealt]);
  if (now === shown) return; // the same question: a half-finished answer stays
  shown = now;
  notice("");
  if (!question) {
    place.replaceChildren(h("p", { class: "class-wait", role: "status" }, place.firstElementChild ? `${OVER} ${WAIT}` : WAIT));
    return;
  }
  const heading = question.asked.kind === "poll" ? null : h("h1", {}, question.asked.text); // a poll says it itself
  place.replaceChildren(...[heading, DRAW[question.asked.kind](question, mine, notice)].filter(Boolean));
}

main.replaceChildren(lost, notices, place, code);
follow("join/stream", show, (gone) => (lost.hidden = !gone));
