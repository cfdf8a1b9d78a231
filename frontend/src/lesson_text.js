// On the page of a lesson: its text cells, once all of them are there. What nobody reads on the way is folded.
import { h } from "./page/dom.js";
import { explain } from "./page/lesson_terms.js";

const FOLDED = /^(Sources|Exercises)\b/; // headings, without the mark that links to them

const glossary = document.querySelector("#lmdk-glossary");
const texts = document.querySelectorAll(".lmdk-text");
explain(document.querySelector("#rendered_cells"), texts, JSON.parse(glossary.textContent));
for (const heading of document.querySelectorAll(".lmdk-text > h2")) if (FOLDED.test(heading.textContent)) fold(heading);

// A heading and what follows it, up to the next one.
function fold(heading) {
  const following = [];
  for (let part = heading.nextElementSibling; part && part.tagName !== "H2"; part = part.nextElementSibling) following.push(part);
  const place = h("details", { class: "lmdk-afterwards" });
  heading.before(place);
  place.append(h("summary", {}, heading), ...following);
}
