// In the page of a private release: checks the file that its reader chooses.
import { checked } from "./guarantee/check.js";
import { checkedCounts } from "./guarantee/counts.js";

const PAGE = {
  holds: null,
  text: "That this page itself is unchanged, with its sentences and its script: lmdk release --check compares it.",
};
const told = JSON.parse(document.querySelector("#told").textContent);
const found = document.querySelector("#found");

document.querySelector("input").addEventListener("change", async (event) => {
  const [file] = /** @type {HTMLInputElement} */ (event.target).files;
  if (!file) return;
  found.replaceChildren(
    ...[...(told.counted ? checkedCounts : checked)(told, await file.text()), PAGE].map(({ holds, text }) => {
      const line = document.createElement("li");
      const verdict = document.createElement("b");
      verdict.textContent = holds === null ? "Cannot be checked: " : holds ? "Holds: " : "DOES NOT HOLD: ";
      line.className = holds === false ? "not" : "";
      if (holds === null) verdict.style.color = "inherit";
      line.append(verdict, text);
      return line;
    }),
  );
});
