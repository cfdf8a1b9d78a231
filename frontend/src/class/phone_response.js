// Randomised response on a phone: a true answer is chosen, the coin is tossed, and only what it says is sent.
import { button, h } from "../page/dom.js";
import { toss } from "./coin.js";
import { send } from "./wire.js";

const THROUGH = "The coin let your true answer through. Only you see this.";
const DRAWN = "The coin drew an answer for you. Only you see this.";
const UNSENT = "Your phone drew its answer, but it has not arrived. It will send the same one.";

// What the phone drew is kept until it has arrived, so a lost connection does not cause a second toss.
const drawn = {
  name: (key) => `lmdk-class-${key}`,
  get: (key) => JSON.parse(localStorage.getItem(drawn.name(key)) ?? "null"),
  set: (key, sent) => localStorage.setItem(drawn.name(key), JSON.stringify(sent)),
};

export function response({ round, key, asked }, mine, notice) {
  if (mine.answered) return sentAlready(asked, mine.answer, "");
  if (mine.closed) return h("p", { class: "class-wait" }, mine.closed);
  const place = h("div", {});
  const waiting = drawn.get(key);
  if (waiting !== null) place.append(unsent(round, waiting, asked, place, notice));
  else place.append(choice(round, key, asked, place, notice));
  return place;
}

function choice(round, key, asked, place, notice) {
  let chosen = -1;
  const answers = asked.answers.map((text, k) => button(text, () => choose(k), { "aria-pressed": "false", class: "class-answer" }));
  const go = button("Toss the coin and send", decide, { class: "class-main", disabled: true });

  function choose(k) {
    chosen = k;
    for (const [index, answer] of answers.entries()) answer.setAttribute("aria-pressed", String(index === k));
    go.disabled = false;
  }

  async function decide() {
    const { sent, honest } = toss(chosen, asked.answers.length, asked.honest);
    chosen = -1;
    drawn.set(key, sent);
    await deliver(round, sent, asked, place, notice, honest ? THROUGH : DRAWN);
  }

  return h(
    "div",
    {},
    ...asked.before.map((text) => h("p", { class: "class-small" }, text)),
    h("p", { class: "class-label" }, "Your true answer, only for your phone:"),
    h("div", { class: "class-answers", role: "group", "aria-label": "Your true answer" }, ...answers),
    go,
  );
}

async function deliver(round, sent, asked, place, notice, coin) {
  const { answer, sentence = "" } = await send("join/answer", { round, answer: sent });
  notice(sentence);
  place.replaceChildren(sentence ? unsent(round, sent, asked, place, notice, coin) : sentAlready(asked, answer, coin));
}

function unsent(round, sent, asked, place, notice, coin = "") {
  const again = button("Send it", () => deliver(round, sent, asked, place, notice, coin), { class: "class-main" });
  return h("div", {}, h("p", {}, UNSENT), again);
}

function sentAlready(asked, answer, coin) {
  return h(
    "div",
    { class: "class-sent", role: "status" },
    h("p", { class: "class-big" }, `Sent: ${asked.answers[answer]}`),
    coin ? h("p", {}, coin) : null,
    h("p", {}, asked.sent[answer]),
    h("p", { class: "class-small" }, asked.kept),
  );
}
