// The base of all our maps: Leaflet in a frame with a row of buttons, streets on request, and a view that fits.
// Leaflet remembers the size of its box, and fitting bounds into 0 x 0 pixels gives a zoom that is not a number, from which it
// never recovers. So the size is read again before every fit, and in a box too small for a map nothing is fitted or drawn.
import L from "leaflet";
import leafletStyle from "leaflet/dist/leaflet.css";
import { addStyle, button, h, onSize } from "../page/dom.js";
import { saveButton } from "../page/save_chart.js";
import { coloursOf, sizeOf } from "../page/theme.js";
import { mapPicture } from "./map_picture.js";
import { readPalette } from "./scale.js";
import { isDark, StreetChoice } from "./street_choice.js";

const LEAST = 40; // pixels beside the padding: a fit into less shows nothing

const COLOURS = ["paper", "ink", "quiet", "grid", "line", "track", "regular", "landmark", "release", "link", "circle", "pinned", "path", "badline"];

// Keys and boxes are ours, and an observer sees a new size; each zoom shows at once.
const OURS = { keyboard: false, boxZoom: false, trackResize: false, doubleClickZoom: false };
const STILL = { zoomAnimation: false, fadeAnimation: false, markerZoomAnimation: false };
const UP = ["pointerup", "pointercancel"];

// The wheel scrolls the page, or the output of a notebook, and zooms the map only with a key: the one that zooms pages. A
// pinch on a touchpad comes as a wheel with Ctrl.
const ZOOMS = `${/Mac|iP(hone|ad)/.test(globalThis.navigator?.platform ?? "") ? "⌘" : "Ctrl"} + wheel zooms the map.`;
const HINT_MS = 1500;

// A map of ours adds what keys and the pointer do there: the methods `key`, `press`, `move`, `look` and `enter`.
export class MapFrame {
  // label, role description, keys: for a screen reader; fitTitle: what the button Fit shows; Layer: draws what is seen;
  // room: how `this.bounds` are fitted, as Leaflet's fitBounds takes it
  constructor(element, { label, describe, keys, className = "", fitTitle, Layer, seen, room }) {
    addStyle(element, leafletStyle, "leaflet");
    this.seen = seen;
    this.room = room;
    this.bounds = null;
    this.marks = ""; // the key to what is drawn, for a picture
    this.layer = new Layer(seen);
    const hint = h("p", { class: "lmdk-offscreen", id: `lmdk-hint-${Math.random().toString(36).slice(2)}` }, keys);
    const said = { "aria-label": label, "aria-roledescription": describe, "aria-describedby": hint.id };
    this.box = h("div", { class: `lmdk-map ${className}`, role: "application", tabindex: "0", ...said });
    this.fitButton = button("Fit", () => this.fitNext(), { title: fitTitle });
    this.bar = h("div", { class: "lmdk-mapbar" }, this.fitButton);
    this.streets = new StreetChoice(this.bar, {
      map: () => this.map,
      bounds: () => this.bounds,
      shown: (on) => this.streetsShown(on),
      dark: () => isDark(this.seen.colours.paper),
    });
    this.bar.append(this.streets.element);
    this.wheelHint = h("p", { class: "lmdk-wheelhint", "aria-hidden": "true", hidden: true }, ZOOMS);
    element.append(h("div", { class: "lmdk-mapframe" }, this.box, this.bar, this.wheelHint, hint));
    this.colours();
    this.map = L.map(this.box, { ...OURS, ...STILL, zoomSnap: 0.25, zoomDelta: 0.5, center: [0, 0], zoom: 2 });
    this.map.attributionControl.setPrefix("");
    L.control.scale({ imperial: false }).addTo(this.map);
    this.layer.addTo(this.map);
    this.map.on("zoomstart dragstart", () => !this.fitting && this.moved());
    this.unsized = onSize(this.box, () => this.resized());
    this.listen();
  }

  listen() {
    const at = (event) => this.map.mouseEventToContainerPoint(event);
    this.box.addEventListener("pointermove", (event) => this.move(event, at(event)));
    this.box.addEventListener("pointerleave", ({ pointerType }) => pointerType === "mouse" && !this.stroke && this.look(-1));
    this.box.addEventListener("keydown", (event) => !event.altKey && !event.ctrlKey && !event.metaKey && this.key(event));
    this.box.addEventListener("focus", () => this.box.matches(":focus-visible") && this.enter());
    this.box.addEventListener("wheel", (event) => this.wheel(event), { capture: true, passive: true });
    // In the capture phase, before Leaflet starts to pan.
    this.box.addEventListener("pointerdown", (event) => this.press(event, at(event)), true);
    for (const name of ["mousedown", "touchstart"]) this.box.addEventListener(name, (event) => this.stroke && event.stopPropagation(), true);
  }

  // In the capture phase, before Leaflet zooms; what it does not get, scrolls the page.
  wheel(event) {
    const zooms = event.ctrlKey || event.metaKey;
    if (!zooms) event.stopImmediatePropagation();
    clearTimeout(this.hinting);
    this.wheelHint.hidden = zooms;
    if (!zooms) this.hinting = setTimeout(() => (this.wheelHint.hidden = true), HINT_MS);
  }

  // The user has moved the view.
  moved() {
    this.fitted = false;
  }

  key(_event) {}
  press(_event, _place) {} // place: pixels of the map
  move(_event, _place) {}
  look(_index) {} // at a mark or a cell, or at none: -1
  enter() {} // the keyboard came

  // The pointer draws from here until it goes up, or is taken away: ended(event, place).
  draws(stroke, ended) {
    this.stroke = stroke;
    const up = (event) => {
      for (const name of UP) window.removeEventListener(name, up);
      this.stroke = null;
      ended(event, this.map.mouseEventToContainerPoint(event));
    };
    for (const name of UP) window.addEventListener(name, up);
  }

  colours() {
    const colour = coloursOf(this.box);
    this.seen.size = sizeOf(this.box);
    this.seen.colours = Object.fromEntries(COLOURS.map((name) => [name, colour(name) || "gray"]));
    this.seen.palette = readPalette(getComputedStyle(this.box));
  }

  recolour() {
    this.colours();
    this.streets.recolour();
    this.layer.draw();
  }

  // Whether there is room for a map; a page of the dashboard that is not shown has none.
  get roomy() {
    const [left, top] = this.room.paddingTopLeft;
    const [right, bottom] = this.room.paddingBottomRight;
    return this.box.clientWidth >= left + right + LEAST && this.box.clientHeight >= top + bottom + LEAST;
  }

  // What the button asks for.
  fitNext() {
    this.fit();
  }

  // What is to be seen: south-west and north-east.
  extent() {
    return this.bounds;
  }

  // Shows everything, as soon as there is room.
  fit() {
    this.fitted = true;
    if (!this.bounds || !this.roomy) return;
    this.fitting = true;
    this.map.invalidateSize({ animate: false, pan: false });
    this.map.fitBounds(this.extent(), { ...this.room, animate: false });
    this.fitting = false;
    this.streets.look();
    this.layer.draw();
  }

  // A view that the user has not moved keeps showing everything; any other keeps its centre.
  resized() {
    if (!this.roomy) return;
    this.map.invalidateSize({ animate: false });
    this.colours(); // before, the page may not have been in the document
    if (this.fitted) this.fit();
    else this.layer.draw();
  }

  // It can be saved from now on: save({ title, canvas }, format).
  offerPicture(title, save) {
    this.bar.append(saveButton("the map", (format) => save(this.picture(title()), format)));
  }

  // Streets are tiles of others, under their own licence, and not drawn on our canvas: the picture says that it has none.
  picture(title) {
    const key = [this.marks, this.seen.streets && "Drawn without the streets"].filter(Boolean).join("<br>");
    return { title, key, canvas: mapPicture(this) };
  }

  // Streets of files can be chosen: see StreetChoice.offer.
  offerStreets(given) {
    this.streets.offer(given);
  }

  streetsShown(on) {
    this.seen.streets = on;
    this.layer.draw();
  }

  remove() {
    this.unsized();
    clearTimeout(this.hinting);
    this.streets.remove();
    this.map.remove();
  }
}

// A map whose errors do not affect the page: the first one is reported, and the words and charts next to it keep working. If
// it could not even be made, there is none.
export function shielded(make, tell) {
  let told = false;
  const guard =
    (act) =>
    (...given) => {
      try {
        return act(...given);
      } catch (error) {
        console.error(error);
        if (!told) tell("The map could not be drawn. The words and the charts are right; reload the page to see the map again.");
        told = true;
      }
    };
  const view = guard(make)();
  return new Proxy({}, { get: (_, name) => guard((...given) => view?.[name](...given)) });
}
