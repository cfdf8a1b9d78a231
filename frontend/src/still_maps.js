// The maps of a static page, each from the plain values in its figure, as `drawn` of lmdk_widgets/io/report.py writes them.

import { swatches } from "./map/scale.js";
import { stillCells } from "./map/still.js";
import { h } from "./page/dom.js";
import places from "./place/place.css";
import { stillBelief, stillRelease, stillSeries, stillTrack } from "./track/still.js";
import landmarks from "./track/track.css";

export const STYLES = { places, landmarks }; // whose colours the maps take

const DRAWN = { cells: stillCells, release: stillRelease, series: stillSeries, belief: stillBelief, track: stillTrack };
const SMALL = 220; // pixels, on the card of a setting
const LEGENDS = { cells: 0, belief: 2 }; // the first class that a legend tells

// widths: pixels by the class of what is drawn so wide
export function drawMaps(widths) {
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("figure.map"))) {
    const { label, kind, small, ...drawing } = JSON.parse(place.querySelector("script").textContent);
    const words = place.querySelector("figcaption");
    place.classList.add("lmdk-explorer", "lmdk-place", ...(kind === "cells" ? [] : ["lmdk-track"])); // whose colours hold
    for (const [name, width] of Object.entries(small ? { small: SMALL } : widths)) {
      const drawn = DRAWN[kind](place, { ...drawing, small }, width);
      for (const [key, value] of Object.entries({ role: "img", "aria-label": label, class: name })) drawn.setAttribute(key, value);
      words.before(drawn);
    }
    if (kind in LEGENDS && !small) words.before(h("ul", { class: "lmdk-scale", "aria-label": "Legend" }, ...swatches(drawing.shown).slice(LEGENDS[kind])));
  }
}
