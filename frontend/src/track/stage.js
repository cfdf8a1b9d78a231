// Where a track or a series is seen and marked: the map, or the chart instead, and the key to their marks.
import { h, TOUCH } from "../page/dom.js";
import { SeriesChart } from "./series_chart.js";

export class Stage {
  // element: of the map; under: what is below it; map(): of a track; act: what a click asks for; root: of the page
  constructor(element, under, map, act, root) {
    this.map = map;
    this.root = root;
    this.chart = new SeriesChart(element, act);
    this.onAxis = false;
    this.element = element;
    under.append(legend());
  }

  setTrack(store, { latitude, longitude, values }) {
    const { track } = store;
    this.onAxis = Boolean(track.series);
    this.root.classList.toggle("lmdk-onaxis", this.onAxis);
    this.root.classList.toggle("lmdk-onanswers", track.series?.kind === "answers");
    this.element.ariaLabel = this.onAxis ? "Chart of the series" : "Map of the track";
    this.root.querySelector("h1").textContent = `How private is this ${this.onAxis ? "series" : "track"}?`;
    this.chart.frame.hidden = !this.onAxis;
    if (this.onAxis) this.chart.setTrack(track, values);
    else {
      this.map().setTrack({ latitudes: latitude, longitudes: longitude, names: store.names(), places: track.places });
      this.map().setRegion(this.limits);
    }
  }

  // The box of the region on the map; null for a series.
  setRegion(region) {
    this.limits = region?.limits ?? null;
    if (!this.onAxis) this.map()?.setRegion(this.limits);
  }

  // The map or the chart, whichever is shown.
  get view() {
    return this.onAxis ? this.chart : this.map();
  }

  setRelease(arrays) {
    if (this.onAxis) return this.chart.setRelease(arrays.values, arrays.pinned_values);
    this.map().setPinned(arrays.pinned_latitude, arrays.pinned_longitude);
    this.map().setRelease(arrays.latitude, arrays.longitude, arrays.radius95_m);
  }

  setFound(circles) {
    if (!this.onAxis) this.map().setFound(circles);
  }

  setSecret(marks) {
    if (!this.onAxis) this.map()?.setSecret(marks);
  }

  setPractice(practice) {
    if (!this.onAxis) this.map().setPractice(practice);
  }

  drawMarks({ track, landmarks, proposed, dummies }) {
    if (!track) return;
    this.view.setLandmarks(landmarks, proposed, dummies);
    this.view.draw();
  }

  setHovered(index) {
    this.view.setHovered(index);
  }

  setSpan(span) {
    this.view.setSpan(span);
  }

  fitNext() {
    this.view.fitNext();
  }

  // Whether the circle of 95 % around a timestamp does not fit on the map.
  isTooWide(index) {
    return !this.onAxis && this.map().isTooWide(index);
  }

  recolour() {
    this.chart.recolour();
  }

  remove() {
    this.chart.remove();
  }
}

function legend() {
  const item = (mark, colour, text, where = "") =>
    h("span", { class: `lmdk-keyof-${colour} ${where}` }, h("span", { class: `lmdk-key lmdk-key-${colour}`, "aria-hidden": "true" }, mark), ` ${text}  `);
  const [map, axis] = ["lmdk-ofmap", "lmdk-ofaxis"];
  const first = [
    item("◆", "landmark", "landmark"),
    item("◇", "dummy", "dummy, protected like a landmark"),
    item("●", "regular", "regular", map),
    item("━", "regular", "true", axis),
    item("✕", "release", "release", map),
    item("━", "release", "released", axis),
    item("+", "pinned", "release of the pinned option", map),
    item("┅", "pinned", "release of the pinned option", axis),
    h("span", { class: "lmdk-clicks" }, TOUCH ? "Tap a point to select it, tap again to mark it. " : ""),
  ];
  const rest = [
    item("✕", "release", "release, with a line to the true place", map),
    item("➤", "release", "releases off the map, how far beyond its rim", map),
    item("┄", "region", "region", map),
    item("◌", "circle", "95 % of the hovered timestamp's releases", map),
    item("◯", "found", "found here in the noisy release: by averaging, in half of all draws", map),
    item("■", "secret", "┄ □ the two places of a secret over time", map),
    item("★", "practice", "an attacker's guess under what is done today, without noise, in the area looked at; dashed: the zone", map),
  ];
  const more = h("details", { class: `lmdk-marks ${map}` }, h("summary", {}, "Legend"), h("p", {}, ...rest));
  return h("div", { class: "lmdk-legend" }, h("p", {}, ...first), more);
}
