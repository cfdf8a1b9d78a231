// One scale of colours for every probability on the map, in classes, so that maps can be compared with each other.
import { readable, rgb } from "../page/contrast.js";
import { h } from "../page/dom.js";
import { amount, metres, percent } from "../page/format.js";
import { BLUES, BROWNS, TEXTS, UNSET } from "../page/palette.js";

export const CLASSES = [
  { from: 0, text: "0" },
  { from: Number.MIN_VALUE, text: "below 0.1 %" },
  { from: 0.001, text: "0.1 %" },
  { from: 0.003, text: "0.3 %" },
  { from: 0.01, text: "1 %" },
  { from: 0.03, text: "3 %" },
  { from: 0.1, text: "10 %" },
  { from: 0.3, text: "30 % or more" },
];

// What a map shows: a probability, or metres up to the largest of its cells. shown: as the page has it, with most_m for metres.
// Of counts, those above 0 survive, those below are mostly noise.
const [SURVIVES, NOISE] = [6, 3];
const COUNTS = { classOf: (value) => (value > 0 ? SURVIVES : value < 0 ? NOISE : 0), text: (value) => amount(Math.abs(value)) };

export function scaleOf(shown) {
  if (shown?.counts) return COUNTS;
  const most = shown?.most_m;
  return most === undefined ? { classOf, text: percent } : { classOf: (value) => stepOf(value, most), text: metres };
}

const STEPS = CLASSES.length - 1;
const stepOf = (value, most) => (most > 0 ? 1 + Math.min(STEPS - 1, Math.floor((STEPS * value) / most)) : 1);

export function classOf(value) {
  let found = 0;
  for (let k = 1; k < CLASSES.length; k++) if (value >= CLASSES[k].from) found = k;
  return found;
}

// The fill of each class from the style sheet, and a colour of text that can be read on it.
export function readPalette(style) {
  return readableOn(CLASSES.map((_, k) => style.getPropertyValue(`--lmdk-p${k}`).trim() || UNSET));
}

const readableOn = (fills) => fills.map((fill) => ({ fill, text: readable(rgb(fill), TEXTS) }));

// The same for a picture, whose colours are light.
export const lightPalette = (element) => readableOn(element.closest(".lmdk-place, .lmdk-people") ? BLUES : BROWNS);

// The legend of counts: what survives, what is mostly noise, and where nobody is.
export function countSwatches(names) {
  const classes = [SURVIVES, NOISE, 0];
  return names.map((text, k) => h("li", {}, h("span", { class: "lmdk-swatch", style: `background: var(--lmdk-p${classes[k]})` }), text));
}

// The classes as entries of a legend; of metres from where each begins.
export function swatches(shown = {}) {
  const most = shown.most_m;
  const steps = most === undefined ? CLASSES.map(({ text }) => text) : Array.from({ length: STEPS }, (_, k) => metres((k * most) / STEPS));
  const first = most === undefined ? 0 : 1;
  return steps.map((text, k) => h("li", {}, h("span", { class: "lmdk-swatch", style: `background: var(--lmdk-p${k + first})` }), text));
}
