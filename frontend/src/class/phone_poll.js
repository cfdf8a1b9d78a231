// A poll on a phone: the question as the lessons draw it; its answer goes to the class, the verdict comes when it is shown.
import { h } from "../page/dom.js";
import { mount } from "../question/mount.js";
import { scene } from "./scene.js";
import { send } from "./wire.js";

const ARRIVED = { words: "Your answer has arrived. You can change it while the question is open." };
const ARRIVED_THEN = { words: "Your answer has arrived." };

export function poll({ round, asked }, mine) {
  const place = h("div", {}, ...scene(asked.about));
  const saved = mine.answered ? mine.answer : undefined;
  let arrived = JSON.stringify(saved);

  async function answer(given) {
    if (mine.told) return mine.told;
    if (mine.closed) return ARRIVED_THEN;
    if (JSON.stringify(given) === arrived) return ARRIVED;
    const { sentence = "" } = await send("join/answer", { round, answer: given });
    if (sentence) throw new Error(sentence);
    arrived = JSON.stringify(given);
    return ARRIVED;
  }

  const question = mount(place, asked.ask, { answer, saved, verb: "Send", closed: mine.closed });
  if (mine.told && !mine.answered) question.show(mine.told);
  return place;
}
