// A duel on a phone: one half spreads epsilon over Bob's day, the other half finds his landmarks in a release.
import { button, h, setText } from "../page/dom.js";
import { amount } from "../page/format.js";
import { plan } from "./plan.js";
import { send } from "./wire.js";

const SPREADS = 0;
const ARRIVED = "It has arrived. You can change it.";
const OUTSIDE = "A cross at the edge is farther out.";
const LEGEND = "★ is a landmark. Ring: where Bob was. Square: the exact attacker's guess. Circle: yours.";
const HINT = " Hint: how likely each is a landmark, and in purple where he was, by the exact chances after the release";

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
  const { labels, parts, epsilon } = asked;
  const { landmarks, named } = mine.dealt;
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
    const told = mine.dealt.words ?? mine.closed;
    return h("div", {}, h("p", { class: "class-big", role: "status" }, told), h("div", { class: "class-parts" }, ...rows), ...small(asked.before[SPREADS]));
  }
  const words = small(asked.before[SPREADS]);
  return h("div", {}, words[0], h("p", {}, named), h("div", { class: "class-parts" }, ...rows), left, go, done, ...words.slice(1));
}

function guesses({ round, status, asked }, mine, notice) {
  if (!mine.dealt) return h("div", {}, ...small(asked.before[1]), plan(asked.map));
  const map = { ...asked.map, places: [] }; // reports stand where names would
  const words = small(asked.before[1].slice(1));
  const { reports, noise, chances, belief, truth, adversary, landmarks = [] } = mine.dealt;
  const { labels, count } = asked;
  const shown = status === "shown";
  const guess = labels.map(() => -1);
  for (const [time, cell] of mine.answered ? mine.answer : []) guess[time] = cell;
  const pairs = () => guess.flatMap((cell, time) => (cell >= 0 ? [[time, cell]] : []));
  const theirs = new Map(adversary);
  const place = h("div", {});
  const hint = h("input", { type: "checkbox" });
  const left = h("p", { class: "class-small", role: "status" });
  const { go, done } = sender(round, mine, "Send these guesses", pairs, notice);
  const away = button("", takeAway);
  let at = shown ? landmarks[0] : 0;
  const chips = labels.map((_, k) => button("", () => draw(k), { "aria-pressed": "false", class: "class-chip class-moment" }));

  function chip(k) {
    const name = `${landmarks.includes(k) ? "★ " : ""}${labels[k]}${guess[k] >= 0 ? " ✓" : ""}`;
    chips[k].setAttribute("aria-pressed", String(k === at));
    chips[k].replaceChildren(name, h("span", {}, noise[k]), ...(hint.checked && !shown ? [h("span", {}, `★ ${chances[k]}`)] : []));
  }

  function draw(k) {
    at = k;
    const marks = shown ? { truth: truth[at], adversary: theirs.get(at) ?? -1, guesses: guess[at] >= 0 ? [[guess[at], "you"]] : [] } : {};
    const options = { reports, strong: labels[at], belief: hint.checked || shown ? belief[at] : null, ...marks };
    place.replaceChildren(plan(map, shown ? options : { ...options, chosen: guess[at], choose }));
    say();
  }

  function say() {
    const named = pairs().length;
    chips.forEach((_, k) => chip(k));
    setText(left, named < count ? `${named} of ${count} named.` : `All ${count} are named.`);
    setText(away, `${labels[at]} is no landmark`);
    away.disabled = guess[at] < 0;
    go.disabled = named !== count;
  }

  function choose(cell) {
    if (guess[at] < 0 && pairs().length === count) {
      notice(`You have named ${count}. Choose one of them and take it away first.`);
      draw(at);
      return;
    }
    notice("");
    guess[at] = cell;
    setText(done, "");
    say();
  }

  function takeAway() {
    notice("");
    guess[at] = -1;
    setText(done, "");
    draw(at);
  }

  hint.addEventListener("change", () => draw(at));
  draw(at);
  const tabs = h("div", { class: "class-chips", role: "group", "aria-label": "Timestamp" }, ...chips);
  const outside = reports.some(([, , , far]) => far) ? small([OUTSIDE]) : [];
  if (shown) return h("div", {}, h("p", { class: "class-big", role: "status" }, mine.dealt.words), tabs, place, ...small([LEGEND]), ...outside);
  const asking = h("p", { class: "class-label" }, `Which ${count} timestamps are landmarks, and where was Bob then? Choose one, then tap a cell.`);
  const off = h("p", { class: "class-small" }, "Below each timestamp: how far off its report is on average.");
  const hinting = h("label", { class: "class-hint" }, hint, HINT);
  return h("div", {}, asking, tabs, off, place, h("div", { class: "class-deeds" }, away), left, hinting, go, done, ...outside, ...words);
}
