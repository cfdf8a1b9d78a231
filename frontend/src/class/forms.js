// What a teacher can put to the class: one form for each activity, with the choices and ranges that the server offers.
import { h } from "../page/dom.js";

const COUNCIL = "Each phone is the mayor, the operator, the regulator or a resident, and sees one number of each way to publish.";
const DUEL = "One half of the phones spreads it over Bob's day, the other half guesses his landmarks.";

export function forms(offers, put) {
  return [
    activity(offers, put, "response", responseFields(offers.response), readResponse),
    activity(offers, put, "guess", guessFields(offers.guess), readGuess),
    activity(offers, put, "poll", pollFields(offers.poll), ({ name }) => ({ name: name.value })),
    activity(offers, put, "duel", [field("ε", number("epsilon", offers.duel.epsilon), DUEL)], ({ epsilon }) => ({ epsilon: asNumber(epsilon.value) })),
    activity(offers, put, "council", [h("p", { class: "class-small" }, COUNCIL)], () => ({})),
  ];
}

export function activity(offers, put, kind, fields, read) {
  const form = h("form", { class: "class-form" }, h("h2", {}, offers.titles[kind]), ...fields, h("button", { class: "class-main" }, "Put to the class"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    put(kind, read(form.elements));
  });
  return form;
}

export function field(text, control, hint = "") {
  return h("label", { class: "class-field" }, h("span", {}, text), control, hint ? h("span", { class: "class-small" }, hint) : null);
}

export const choices = (name, pairs) => h("select", { name }, ...pairs.map(([value, title]) => h("option", { value }, title)));

function number(name, [least, most, usual]) {
  return h("input", { name, type: "text", inputmode: "decimal", value: String(usual), required: true, title: `${least} to ${most}` });
}

function responseFields({ suggested, longest, most, epsilon }) {
  const list = h("datalist", { id: "class-suggested" }, ...suggested.map((text) => h("option", { value: text })));
  const text = h("input", { name: "text", type: "text", maxlength: longest, required: true, list: "class-suggested", value: suggested[0] });
  const answers = h("textarea", { name: "answers", rows: 2 });
  answers.value = "Yes\nNo";
  return [
    field("A question that people would not answer truthfully in public", text),
    list,
    field(`Answers, one per line, 2 to ${most}`, answers),
    field("ε", number("epsilon", epsilon), "1.0986 = ln 3: two coins"),
  ];
}

const readResponse = ({ text, answers, epsilon }) => ({
  text: text.value,
  answers: answers.value.split("\n").filter((line) => line.trim()),
  epsilon: asNumber(epsilon.value),
});

function guessFields({ scenes, level, radius_m }) {
  const place = choices("place", Object.values(scenes)[0].places);
  const scene = choices(
    "scene",
    Object.entries(scenes).map(([name, { title }]) => [name, title]),
  );
  scene.addEventListener("change", () => place.replaceChildren(...choices("", scenes[scene.value].places).children));
  return [
    field("Scene", scene),
    field("True place", place, "The room sees what you choose here, unless it is left to chance."),
    field("Privacy level ε", number("level", level)),
    field("within, metres", number("radius_m", radius_m)),
  ];
}

const readGuess = ({ scene, place, level, radius_m }) => ({
  scene: scene.value,
  place: place.value,
  level: asNumber(level.value),
  radius_m: asNumber(radius_m.value),
});

function pollFields(lessons) {
  const all = Object.values(lessons);
  const question = choices("name", all[0].questions);
  const titles = Object.entries(lessons).map(([name, { title }]) => [name, title]);
  const lesson = choices("lesson", titles);
  lesson.addEventListener("change", () => question.replaceChildren(...choices("", lessons[lesson.value].questions).children));
  return [field("Lesson", lesson), field("Question", question)];
}

// What is no number goes to the server as it is, which says what it should be.
function asNumber(text) {
  const value = Number(text.trim().replace(",", "."));
  return text.trim() && Number.isFinite(value) ? value : text;
}
