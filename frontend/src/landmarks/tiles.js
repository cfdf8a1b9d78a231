// The first answers as numbers: what is found, in its colour, and what is promised, each with the line that says what of.
import { h } from "../page/dom.js";

export class Tiles {
  constructor() {
    this.element = h("ul", { class: "lmdk-headlines", "aria-label": "The answers as numbers" });
  }

  show(answers) {
    const told = JSON.stringify(answers);
    if (told === this.told) return;
    this.told = told;
    const open = this.element.querySelector("details")?.open ?? false;
    this.element.replaceChildren(...answers.map((answer) => tile(answer, open)));
  }
}

// look: "red", "amber", "grey" or nothing; said: what a click tells more
function tile({ name, value, line, look, said = [] }, open) {
  const number = h("span", { class: `lmdk-headlinevalue${look ? ` lmdk-headline${look}` : ""}` }, value);
  return h(
    "li",
    {},
    h("span", { class: "lmdk-headlinename" }, name),
    " ",
    number,
    " ",
    h("span", { class: "lmdk-headlineline" }, line),
    ...said.map((text) => detail(text, open)),
  );
}

function detail(text, open) {
  return h("details", { class: "lmdk-headlinemore", open }, h("summary", {}, "In detail"), text);
}
