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
    this.element.replaceChildren(...answers.map(tile));
  }
}

// look: "red", "amber", "grey" or nothing; said: more of it, beside the pointer
function tile({ name, value, line, look, said = [] }) {
  const number = h("span", { class: `lmdk-headlinevalue${look ? ` lmdk-headline${look}` : ""}` }, value);
  return h(
    "li",
    said.length ? { title: said.join(" ") } : {},
    h("span", { class: "lmdk-headlinename" }, name),
    " ",
    number,
    " ",
    h("span", { class: "lmdk-headlineline" }, line),
  );
}
