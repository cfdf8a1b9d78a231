// What every map of ours stands on: Leaflet in a frame with a row of buttons, streets on request, and a view that fits.
// Leaflet remembers the size of its box, and to fit bounds into 0 x 0 pixels gives a zoom that is no number, from which it
// never recovers. So the size is read anew before every fit, and in a box too small for a map nothing is fitted or drawn.
import L from "leaflet";
import { h } from "../page/dom.js";

const TILES = "https://tile.openstreetmap.org/{z}/{x}/{y}.png";
const ATTRIBUTION = '© <a href="https://www.openstreetmap.org/copyright">OpenStreetMap</a> contributors';
const UNREACHED = "The street map cannot be reached: is there a connection?";
const LEAST = 40; // pixels beside the padding: a fit into less shows nothing

export class MapFrame {
  // label, role description, keys: for a screen reader; fitTitle: what the button Fit shows; layer: draws the map;
  // bounds(): what to fit, or nothing; room: how, as Leaflet's fitBounds takes it; resized(), streets(on): what else follows
  constructor(element, { label, describe, keys, className = "", fitTitle, layer, bounds, room, resized = () => {}, streets = (_on) => {} }) {
    this.bounds = bounds;
    this.room = room;
    this.layer = layer;
    this.whenResized = resized;
    this.whenStreets = streets;
    this.tiles = null;
    this.box = h("div", {
      class: `lmdk-map ${className}`,
      role: "application",
      tabindex: "0",
      "aria-label": label,
      "aria-roledescription": describe,
    });
    const hint = h("p", { class: "lmdk-offscreen", id: `lmdk-hint-${Math.random().toString(36).slice(2)}` }, keys);
    this.box.setAttribute("aria-describedby", hint.id);
    this.streetsButton = h("button", { type: "button", "aria-pressed": "false", onclick: () => this.showStreets(!this.streetsOn) }, "Streets");
    this.streetsButton.title = "Street map from OpenStreetMap: its server learns which area you look at";
    this.bar = h("div", { class: "lmdk-mapbar" }, h("button", { type: "button", title: fitTitle, onclick: () => this.fit() }, "Fit"), this.streetsButton);
    element.append(h("div", { class: "lmdk-mapframe" }, this.box, this.bar, hint));
    this.map = L.map(this.box, {
      keyboard: false,
      trackResize: false, // the observer below does
      boxZoom: false,
      zoomAnimation: false,
      fadeAnimation: false,
      markerZoomAnimation: false,
      doubleClickZoom: false,
      zoomSnap: 0.25,
      zoomDelta: 0.5,
      center: [0, 0],
      zoom: 2,
    });
    this.map.attributionControl.setPrefix("");
    L.control.scale({ imperial: false }).addTo(this.map);
    layer.addTo(this.map);
    this.map.on("zoomstart dragstart", () => (this.fitted &&= this.fitting)); // the user has looked elsewhere
    this.observer = new ResizeObserver(() => this.resized());
    this.observer.observe(this.box);
  }

  // Whether there is room for a map; a page of the dashboard that is not shown has none.
  get roomy() {
    const {
      paddingTopLeft: [left, top],
      paddingBottomRight: [right, bottom],
    } = this.room;
    return this.box.clientWidth >= left + right + LEAST && this.box.clientHeight >= top + bottom + LEAST;
  }

  // Shows all there is, as soon as there is room.
  fit() {
    this.fitted = true;
    const bounds = this.bounds();
    if (!bounds || !this.roomy) return;
    this.fitting = true;
    this.map.invalidateSize({ animate: false, pan: false });
    this.map.fitBounds(bounds, { ...this.room, animate: false });
    this.fitting = false;
    this.layer.draw();
  }

  // A view that the user has not moved goes on showing all; another keeps its centre.
  resized() {
    if (!this.roomy) return;
    this.map.invalidateSize({ animate: false });
    this.whenResized();
    if (this.fitted) this.fit();
    else this.layer.draw();
  }

  showStreets(on) {
    this.streetsOn = on;
    this.streetsButton.setAttribute("aria-pressed", String(on));
    this.tiles ??= L.tileLayer(TILES, { maxZoom: 19, attribution: ATTRIBUTION })
      .on("tileload", () => (this.tileCame = true))
      .on("tileerror", () => this.noTiles());
    if (on) this.tiles.addTo(this.map);
    else this.tiles.remove();
    this.whenStreets(on);
  }

  // Without a connection nothing comes: the button goes back and says why. One tile that is missing is no reason.
  noTiles() {
    if (!this.streetsOn || this.tileCame) return;
    this.showStreets(false);
    const note = h("p", { class: "lmdk-mapnote", role: "alert" }, UNREACHED);
    this.bar.after(note);
    setTimeout(() => note.remove(), 6000);
  }

  remove() {
    this.observer.disconnect();
    this.map.remove();
  }
}

// A map whose faults stay its own: the first that it throws is told, and the words and charts beside it go on. Where it
// could not even be made, there is none.
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
