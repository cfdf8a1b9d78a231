// A poll on a phone: the question as the lessons draw it; its answer goes to the class, the verdict comes when it is shown.
import { h } from "../page/dom.js";
import { mount } from "../question/mount.js";
import { send } from "./wire.js";

const ARRIVED = { words: "Your answer has arrived. You can change it while the question is open." };
const CLOSED = { words: "Your answer has arrived." };

export function poll({ round, status, asked }, mine) {
  const place = h("div", {});
  const saved = mine.answered ? mine.answer : undefined;
  const open = status === "open";
  let arrived = JSON.stringify(saved);

  async function answer(given) {
    if (mine.told) return mine.told;
    if (!open) return CLOSED;
    if (JSON.stringify(given) === arrived) return ARRIVED;
    const { sentence = "" } = await send("join/answer", { round, answer: given });
    if (sentence) throw new Error(sentence);
    arrived = JSON.stringify(given);
    return ARRIVED;
  }

  const question = mount(place, asked.ask, { answer, saved, verb: "Send", open });
  if (mine.told && !mine.answered) question.show(mine.told);
  return place;
}
