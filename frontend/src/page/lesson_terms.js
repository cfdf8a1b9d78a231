// The words of the field in the text of a lesson explain themselves as on the pages, each where it comes first.
import { addStyle } from "./dom.js";
import style from "./style.css";
import { Terms } from "./terms.js";

// parts: elements with text; entries: the glossary as pages get it
export function explain(root, parts, entries) {
  root.classList.add("lmdk-lesson");
  addStyle(root, style);
  new Terms(root, entries).markOnce(parts);
}
