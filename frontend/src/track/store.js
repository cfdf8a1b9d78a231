// What the page knows: the track, the last outcome, the hovered timestamp. Views draw it; none talks to another.

import { amount, metres, percent } from "../page/format.js";
import { endsOfSpan } from "../page/span.js";

// How an error is written: metres of a track, the unit of a series of numbers, right or wrong of an answer.
function errorsOf(series) {
  if (!series) return metres;
  if (series.kind === "answers") return (share) => ({ 0: "right", 1: "wrong" })[share] ?? percent(share);
  return (value) => valueIn(series, value);
}

// A value of a series as it is written.
export function valueIn({ kind, unit, answers }, value) {
  if (kind === "answers") return answers[value] ?? "none";
  const said = amount(value);
  return unit && Number.isFinite(value) ? `${said} ${unit}` : said;
}

export class Store {
  constructor() {
    this.landmarks = new Set();
    this.dummies = []; // of hidden landmarks
    this.loss = "loss"; // what the loss of a timestamp is called
    this.setTrack(null);
  }

  setTrack(track) {
    this.track = track;
    this.values = null; // of a series
    this.latitudes = this.longitudes = null; // of a track
    this.write = errorsOf(track?.series);
    this.arrays = {};
    this.proposed = [];
    this.hovered = -1;
    /** @type {number[] | null} */
    this.span = null; // the part of the time that is shown
  }

  // The first and the last timestamp that are shown.
  shown() {
    return endsOfSpan(this.span, this.track?.n ?? 0);
  }

  // The names of few timestamps, for the map; of many none.
  names() {
    const { n, labels } = this.track;
    return n > 30 ? [] : Array.from({ length: n }, (_, i) => labels[i] || `${i + 1}`);
  }

  // What the scheme takes a timestamp for.
  kind(index) {
    if (this.landmarks.has(index)) return "landmark";
    return this.dummies.includes(index) ? "dummy" : "regular";
  }

  // The name of a timestamp: its label, else its number from 1.
  name(index) {
    return this.track.labels[index] || `#${index + 1}`;
  }
}
