// The text of a lesson: terms of the field are explained as on the pages, each where it comes first, and sections that are
// not read along the way are folded.
import { addStyle, h } from "./dom.js";
import style from "./style.css";
import { Terms } from "./terms.js";

const FOLDED = /^(Sources|Exercises)\b/; // headings, without the mark that links to them

// parts: elements with text; entries: the glossary as pages get it
export function explain(root, parts, entries) {
  root.classList.add("lmdk-lesson");
  addStyle(root, style);
  new Terms(root, entries).markOnce(parts);
}

export function foldAfterwards(headings) {
  for (const heading of headings) if (FOLDED.test(heading.textContent)) fold(heading);
}

// A heading and what follows it, up to the next one.
function fold(heading) {
  const following = [];
  for (let part = heading.nextElementSibling; part && part.tagName !== "H2"; part = part.nextElementSibling) following.push(part);
  const place = h("details", {});
  heading.before(place);
  place.append(h("summary", {}, heading), ...following);
}
