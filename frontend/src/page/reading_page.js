// A page that is read without a kernel: its charts and maps are drawn by the code of the pages, from data in the document, and
// the terms of a lesson are explained.
import view from "../figure_view.js";
import sliding from "../sliding_figure.js";
import { drawMaps, STYLES } from "../still_maps.js";
import { addStyle } from "./dom.js";
import { explain, foldAfterwards } from "./lesson_terms.js";

const WIDEST = 680; // pixels of a map

export function drawReading() {
  for (const place of document.querySelectorAll("figure:is(.lmdk-drawn, .chart)")) {
    const words = place.querySelector("figcaption");
    const told = JSON.parse(place.querySelector("script").textContent);
    const traits = told.frames ? { shown: told } : { figure: told, summary: words.textContent };
    const model = { get: (name) => traits[name], on() {}, off() {} };
    (told.frames ? sliding : view).render({ model, el: place });
    words.remove(); // the chart says it
  }
  const map = document.querySelector("figure.map");
  if (map) {
    for (const [name, css] of Object.entries(STYLES)) addStyle(map, css, name);
    drawMaps({ "": Math.min(map.clientWidth, WIDEST) });
  }
  const glossary = document.querySelector("#lmdk-glossary");
  const article = /** @type {HTMLElement} */ (document.querySelector("article"));
  if (!glossary || !article?.querySelector(".cell")) return;
  explain(article, article.querySelectorAll("section > :is(p, ul, ol)"), JSON.parse(glossary.textContent));
  foldAfterwards(article.querySelectorAll("section > h2"));
}
