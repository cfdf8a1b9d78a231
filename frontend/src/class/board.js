// The teacher's board: how to join, what is put to the class, and what its answers show, as they come in.
import { button, h, setText } from "../page/dom.js";
import { forms } from "./forms.js";
import { planForm, RunBar, TYPED } from "./run.js";
import { leaveSlider } from "./slider.js";
import { VIEWS } from "./views.js";
import { address, follow, LOST, send } from "./wire.js";

const ASIDE = "A"; // the key that sets answers aside
const NO_TOKEN = "Open the address of the board that the server printed: this page has no token any more.";

const { join, offers } = document.body.dataset;
const main = document.querySelector("main");
const lost = h("p", { class: "class-notice", role: "alert", hidden: true }, LOST);
const notices = h("p", { class: "class-notice", role: "alert", hidden: true });
const phones = h("p", { class: "class-phones", role: "status" });
const code = h("img", { src: address("board/code.svg"), alt: `QR code of ${join}`, width: 240, height: 240 });
const joining = h(
  "section",
  { class: "class-join", "aria-label": "Join" },
  h("button", { type: "button", class: "class-code", title: "Larger or smaller", onclick: enlarge }, code),
  h("div", {}, h("h1", {}, "Join on your phone"), h("p", { class: "class-address" }, join), phones),
);
const deeds = h("div", { class: "class-deeds" });
const heading = h("div", { class: "class-heading" });
const absent = button("", setAside, { hidden: true });
const view = h("div", {});
const activity = h("section", { class: "class-activity", "aria-label": "Activity", hidden: true }, heading, deeds, view);
const offered = JSON.parse(offers);
const run = new RunBar(tell);
const choosing = h("section", { class: "class-choose", "aria-label": "New activity" }, planForm(offered.plans, tell), ...forms(offered, put));
let state = "";
let round = null;

const answers = (count) => `${count} ${count === 1 ? "answer" : "answers"}`;

function notice(text) {
  setText(notices, text);
  notices.hidden = !text;
}

async function tell(content) {
  const { sentence = "", status } = await send("board/do", content);
  notice(status === 403 ? NO_TOKEN : sentence);
}

// Answers whose phone is not here no longer count, or count again: none is lost.
function setAside() {
  tell({ do: "aside", round });
}

// The code over the whole screen, for the last row, and back.
function enlarge() {
  joining.classList.toggle("class-whole");
}

// The server computes the answer before it puts a question to the class, which may take some seconds.
async function put(kind, settings) {
  choosing.inert = true;
  await tell({ do: "put", kind, settings });
  choosing.inert = false;
}

function show(now) {
  const count = now.phones === 1 ? "One phone is here." : `${now.phones} phones are here.`;
  setText(phones, count);
  round = now.round;
  absent.hidden = now.absent <= now.phones && !now.aside; // phones sleep: some are always missing
  const words = now.absent
    ? `Set aside ${answers(now.absent)} without a phone`
    : `Count ${answers(now.aside)} again that ${now.aside === 1 ? "is" : "are"} set aside`;
  setText(absent, `${words} (key ${ASIDE})`);
  activity.hidden = now.round === null;
  run.show(now.run);
  const busy = now.round !== null || now.run !== null;
  choosing.hidden = busy;
  document.body.classList.toggle("class-busy", busy);
  if (now.round === null) {
    leaveSlider();
    state = "";
    return;
  }
  drawHeading(now);
  if (!now.view.figure) leaveSlider();
  view.replaceChildren(...VIEWS[now.kind](now.view, now));
}

// Buttons are made again only when they change, so that a click reaches the one it was meant for.
function drawHeading(now) {
  const key = `${now.round} ${now.status}`;
  if (state !== key) {
    state = key;
    heading.replaceChildren(h("p", { class: "class-small" }, ""), h("h1", {}, now.text));
    const known = now.deeds.map(([deed, text]) => button(text, () => tell({ do: deed, round: now.round })));
    deeds.replaceChildren(
      ...known,
      button("New activity", () => tell({ do: "end", round: now.round })),
      absent,
    );
  }
  setText(heading.firstChild, `${now.title}: ${now.said}, ${answers(now.answers)}`);
}

addEventListener("keydown", (event) => {
  if (event.key === "Escape") joining.classList.remove("class-whole");
  const isTyped = event.altKey || event.ctrlKey || event.metaKey || event.repeat || /** @type {Element} */ (event.target).closest(TYPED);
  if (event.key.toUpperCase() === ASIDE && !isTyped && !absent.hidden) setAside();
});
main.replaceChildren(lost, notices, joining, run.element, activity, choosing);
follow("board/stream", show, (gone) => (lost.hidden = !gone));
