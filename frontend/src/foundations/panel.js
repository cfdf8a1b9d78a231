// A part of the page under a heading.
import { h } from "../page/dom.js";

export const panel = (title, ...children) => h("section", { class: "lmdk-part", "aria-label": title }, h("h2", {}, title), ...children);
