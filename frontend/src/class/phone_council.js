// Four people decide, on a phone: the card of its role, the role's number of each way, and a vote that can be changed.
import { button, h, setText } from "../page/dom.js";
import { send } from "./wire.js";

const ARRIVED = "Your vote has arrived. You can change it.";
const TALK = "Only your role sees these numbers. Talk to the other three, and vote for what all four can accept.";

export function council({ round, asked }, mine, notice) {
  const { numbers, accepted, words } = mine.dealt;
  let chosen = mine.answered ? mine.answer[1] : -1;
  const done = h("p", { role: "status" }, mine.answered && !mine.closed ? ARRIVED : "");
  const go = button("Send this vote", deliver, { class: "class-main", disabled: chosen < 0 });
  const ways = asked.answers.map((text, k) => {
    const radio = h("input", { type: "radio", name: "way", value: String(k), disabled: !!mine.closed });
    radio.checked = k === chosen;
    radio.addEventListener("change", () => {
      chosen = k;
      go.disabled = false;
      setText(done, "");
    });
    return h("label", { class: "class-way-row" }, radio, h("span", {}, text), h("b", {}, `${numbers[k]} ${accepted[k] ? "✓" : "✗"}`));
  });

  async function deliver() {
    go.disabled = true;
    const { sentence = "" } = await send("join/answer", { round, answer: [mine.side, chosen] });
    notice(sentence);
    setText(done, sentence ? "" : ARRIVED);
    go.disabled = false;
  }

  const card = h("p", { class: "class-card" }, asked.before[mine.side]);
  const list = h("div", { class: "class-ways", role: "radiogroup", "aria-label": asked.text }, ...ways);
  if (mine.closed) return h("div", {}, h("p", { class: "class-big", role: "status" }, words ?? mine.closed), card, list);
  return h("div", {}, card, list, h("p", { class: "class-small" }, TALK), go, done);
}
