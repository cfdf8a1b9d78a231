// Rows of a table of settings: a click opens one, and so does Enter on its name. One name is reached by Tab, arrows lead on.
import { button, tableRow } from "../page/dom.js";

// open(k): the setting of the k-th row is wanted
export function openable(body, open) {
  const index = (event) => [...body.children].indexOf(event.target.closest("tr"));
  body.addEventListener("click", (event) => {
    if (index(event) >= 0 && !window.getSelection()?.toString()) open(index(event));
  });
  body.addEventListener("keydown", (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }[event.key];
    if (!by || index(event) < 0) return;
    event.preventDefault();
    focusRow(body, Math.min(Math.max(index(event) + by, 0), body.children.length - 1));
  });
}

function focusRow(body, k) {
  for (const [i, row] of [...body.children].entries()) row.querySelector("button").tabIndex = i === k ? 0 : -1;
  body.children[k]?.querySelector("button").focus();
}

// rows: texts of each; attributes(k): of the k-th row. Who stands on a row still does afterwards.
export function fillRows(body, rows, heads, attributes) {
  const at = [...body.children].findIndex((row) => row.contains(body.getRootNode().activeElement));
  const name = (text, k) => button(text, () => {}, { class: "lmdk-open", title: "Open this setting", tabindex: k ? "-1" : "0" });
  body.replaceChildren(...rows.map(([first, ...cells], k) => tableRow([name(first, k), ...cells], attributes(k), heads)));
  if (at >= 0 && rows.length) focusRow(body, Math.min(at, rows.length - 1));
}
