// Draws the charts and maps of a saved report, each once for a wide page and for paper and once for a narrow one, from what
// stands in the file.
import landmarks from "./landmarks/landmarks.css";
import { stillBelief, stillRelease, stillSeries } from "./landmarks/still.js";
import { swatches } from "./map/scale.js";
import { stillCells } from "./map/still.js";
import { DARK, h } from "./page/dom.js";
import palette from "./page/palette.css";
import { svgOf } from "./page/picture.js";
import { TOO_OLD, unpacked } from "./page/unpacked.js";
import places from "./places/places.css";

// The page inside the report, once it is asked for.
for (const place of document.querySelectorAll(".enclosed")) {
  const button = place.querySelector("button");
  button.addEventListener("click", async () => {
    if (!("DecompressionStream" in window)) return place.append(TOO_OLD);
    const srcdoc = await unpacked(place.querySelector("script")).text();
    place.replaceChildren(Object.assign(document.createElement("iframe"), { title: document.title, srcdoc }));
  });
}

const WIDTHS = { wide: 680, narrow: 350 }; // pixels

for (const place of document.querySelectorAll("figure.chart")) {
  const figure = JSON.parse(place.querySelector("script").textContent);
  const words = place.querySelector("figcaption");
  for (const [name, width] of Object.entries(WIDTHS)) {
    const { text } = svgOf(figure, width);
    const drawn = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    drawn.setAttribute("role", "img");
    drawn.setAttribute("aria-label", place.querySelector("h3").textContent);
    drawn.classList.add(name);
    words.before(document.adoptNode(drawn));
  }
}
const DRAWN = { cells: stillCells, release: stillRelease, series: stillSeries, belief: stillBelief };
const LEGENDS = { cells: 0, belief: 2 }; // the first class that a legend tells
const light = `${palette}${places}${landmarks}`.replaceAll(DARK, "@media not all"); // as paper is
document.head.append(h("style", {}, light));

for (const place of document.querySelectorAll("figure.map")) {
  const { label, kind, ...drawing } = JSON.parse(place.querySelector("script").textContent);
  const words = place.querySelector("figcaption");
  place.classList.add("lmdk-explorer", "lmdk-places", ...(kind === "cells" ? [] : ["lmdk-landmarks"])); // whose colours hold
  for (const [name, width] of Object.entries(WIDTHS)) {
    const drawn = DRAWN[kind](place, drawing, width);
    for (const [key, value] of Object.entries({ role: "img", "aria-label": label, class: name })) drawn.setAttribute(key, value);
    words.before(drawn);
  }
  if (kind in LEGENDS) words.before(h("ul", { class: "lmdk-scale", "aria-label": "Legend" }, ...swatches().slice(LEGENDS[kind])));
}
document.documentElement.dataset.drawn = "1";
