// Guess where, on a phone: tap the cell, send it, change it while guesses are open.
import { button, h } from "../page/dom.js";
import { plan } from "./plan.js";
import { send } from "./wire.js";

const ARRIVED = "Your guess has arrived. You can change it.";
const LEGEND = "Cross: released point. Ring: true place. Square: the exact adversary's guess.";

export function guess({ round, status, asked }, mine, notice) {
  const told = mine.told ? h("p", { class: "class-big" }, mine.told.words) : null;
  let chosen = mine.answered ? mine.answer : -1;
  const words = asked.before.map((text) => h("p", { class: "class-small" }, text));
  if (mine.closed) {
    const below = status === "shown" ? h("p", { class: "class-small" }, LEGEND) : null;
    const above = status === "shown" ? null : h("p", { class: "class-big", role: "status" }, mine.closed);
    const guesses = chosen < 0 ? [] : [[chosen, "you"]];
    const { truth, adversary } = mine.told ?? {};
    return h("div", {}, told, above, plan(asked.map, { guesses, truth, adversary }), below, ...words);
  }
  const done = h("p", { role: "status" }, mine.answered ? ARRIVED : "");
  const go = button("Send this guess", deliver, { class: "class-main", disabled: chosen < 0 });

  async function deliver() {
    go.disabled = true;
    const { sentence = "" } = await send("join/answer", { round, answer: chosen });
    notice(sentence);
    if (!sentence) done.textContent = ARRIVED;
    go.disabled = false;
  }

  const map = plan(asked.map, {
    chosen,
    choose(cell) {
      chosen = cell;
      go.disabled = false;
    },
  });
  return h("div", {}, map, go, done, ...words);
}
