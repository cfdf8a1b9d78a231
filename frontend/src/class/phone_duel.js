// A duel on a phone: one half spreads epsilon over Bob's day, the other half guesses where he was from a release.
import { button, h, setText } from "../page/dom.js";
import { amount } from "../page/format.js";
import { plan } from "./plan.js";
import { send } from "./wire.js";

const SPREADS = 0;
const ARRIVED = "It has arrived. You can change it.";
const OUTSIDE = "A cross at the edge is farther out.";
const LEGEND = "Ring: where Bob was. Square: the exact attacker's guess. Circle: yours.";

export function duel(question, mine, notice) {
  return mine.side === SPREADS ? spreads(question, mine, notice) : guesses(question, mine, notice);
}

function small(texts) {
  return texts.map((text) => h("p", { class: "class-small" }, text));
}

// Sends an answer by a button, which says that it arrived.
function sender(round, mine, text, given, notice) {
  const done = h("p", { role: "status" }, mine.answered ? ARRIVED : "");
  const go = button(text, deliver, { class: "class-main" });

  async function deliver() {
    go.disabled = true;
    const { sentence = "" } = await send("join/answer", { round, answer: given() });
    notice(sentence);
    setText(done, sentence ? "" : ARRIVED);
    go.disabled = false;
  }
  return { go, done };
}

function spreads({ round, asked }, mine, notice) {
  const { labels, landmarks, parts, epsilon } = asked;
  const spread = mine.answered ? [...mine.answer] : labels.map(() => 0);
  const left = h("p", { class: "class-big", role: "status" });
  const { go, done } = sender(round, mine, "Send this spread", () => spread, notice);
  const written = (part) => amount((part * epsilon) / parts);
  const rows = labels.map((label, k) => {
    const value = h("output", {}, written(spread[k]));
    const name = landmarks.includes(k) ? `★ ${label}` : label;
    const slider = h("input", {
      type: "range",
      min: "0",
      max: String(parts),
      step: "1",
      value: String(spread[k]),
      "aria-label": name,
      disabled: !!mine.closed,
    });
    slider.addEventListener("input", () => {
      spread[k] = Number(slider.value);
      setText(value, written(spread[k]));
      say();
    });
    return h("label", { class: "class-part" }, h("span", {}, name), slider, value);
  });

  function say() {
    const regular = spread.filter((_, k) => !landmarks.includes(k));
    const spent = landmarks.reduce((sum, k) => sum + spread[k], 0) + Math.max(...regular);
    const over = spent > parts;
    setText(left, over ? `${written(spent - parts)} too much: take some away.` : `${written(parts - spent)} of ${written(parts)} left.`);
    left.classList.toggle("class-over", over);
    go.disabled = over;
    setText(done, "");
  }

  say();
  setText(done, mine.answered && !mine.closed ? ARRIVED : "");
  if (mine.closed) {
    const told = mine.dealt?.words ?? mine.closed;
    return h("div", {}, h("p", { class: "class-big", role: "status" }, told), h("div", { class: "class-parts" }, ...rows), ...small(asked.before[SPREADS]));
  }
  const words = small(asked.before[SPREADS]);
  return h("div", {}, words[0], h("div", { class: "class-parts" }, ...rows), left, go, done, ...words.slice(1));
}

function guesses({ round, status, asked }, mine, notice) {
  if (!mine.dealt) return h("div", {}, ...small(asked.before[1]), plan(asked.map));
  const map = { ...asked.map, places: [] }; // reports stand where names would
  const words = small(asked.before[1].slice(1));
  const { reports, belief, truth, adversary } = mine.dealt;
  const labels = asked.landmarks.map((k) => asked.labels[k]);
  const guess = mine.answered ? [...mine.answer] : labels.map(() => -1);
  const place = h("div", {});
  const hint = h("input", { type: "checkbox" });
  const { go, done } = sender(round, mine, "Send these guesses", () => guess, notice);
  const shown = status === "shown";
  let at = 0;
  const chips = labels.map((label, k) => button(label, () => draw(k), { "aria-pressed": "false", class: "class-chip" }));

  function draw(k) {
    at = k;
    for (const [index, chip] of chips.entries()) {
      chip.setAttribute("aria-pressed", String(index === at));
      setText(chip, `${labels[index]}${guess[index] >= 0 ? " ✓" : ""}`);
    }
    go.disabled = guess.some((cell) => cell < 0);
    const marks = shown ? { truth: truth[at], adversary: adversary[at], guesses: guess[at] >= 0 ? [[guess[at], "you"]] : [] } : {};
    const options = { reports, strong: labels[at], belief: hint.checked || shown ? belief[at] : null, ...marks };
    place.replaceChildren(plan(map, shown ? options : { ...options, chosen: guess[at], choose }));
  }

  function choose(cell) {
    guess[at] = cell;
    setText(chips[at], `${labels[at]} ✓`);
    setText(done, "");
    go.disabled = guess.some((one) => one < 0);
  }

  hint.addEventListener("change", () => draw(at));
  draw(0);
  const tabs = h("div", { class: "class-chips", role: "group", "aria-label": "Landmark" }, ...chips);
  const outside = reports.some(([, , , far]) => far) ? small([OUTSIDE]) : [];
  if (shown) return h("div", {}, h("p", { class: "class-big", role: "status" }, mine.dealt.words), tabs, place, ...small([LEGEND]), ...outside);
  const asking = h("p", { class: "class-label" }, "Where was Bob? Choose a landmark, then tap a cell.");
  const hinting = h("label", { class: "class-hint" }, hint, " Hint: the exact chances after the release, in purple");
  return h("div", {}, asking, tabs, place, hinting, go, done, ...outside, ...words);
}
