// A lesson that is read without a kernel: its figures are drawn by the chart of the pages from what stands in the document, and
// its words explain themselves.
import view from "../figure_view.js";
import { explain } from "./lesson_terms.js";

export function drawReading() {
  for (const place of document.querySelectorAll("figure.lmdk-drawn")) {
    const words = place.querySelector("figcaption");
    const traits = { figure: JSON.parse(place.querySelector("script").textContent), summary: words.textContent };
    const model = { get: (name) => traits[name], on() {}, off() {} };
    view.render({ model, el: place });
    words.remove(); // the chart says it
  }
  const glossary = document.querySelector("#lmdk-glossary");
  const article = /** @type {HTMLElement} */ (document.querySelector("article"));
  if (!glossary || !article?.querySelector(".cell")) return;
  explain(article, article.querySelectorAll("section > :is(p, ul, ol)"), JSON.parse(glossary.textContent));
}
