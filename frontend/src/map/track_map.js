// The map: the track, its release and its landmarks. Click, tap, box or keyboard asks for landmarks; hovering is shared.
import L from "leaflet";
import { h } from "../page/dom.js";
import { TrackLayer } from "./canvas_layer.js";
import { MapFrame } from "./map_frame.js";
import { project, unwrap, worldX, worldY } from "./mercator.js";

const ROOM = { paddingTopLeft: [36, 36], paddingBottomRight: [36, 36], maxZoom: 16.5 };

export class TrackMap {
  // act: { toggle(index), mark(indices, on), hover(index) }
  constructor(element, act) {
    this.act = act;
    this.seen = emptyDrawing();
    this.layer = new TrackLayer(() => this.seen);
    this.frame = new MapFrame(element, {
      label: "Map",
      describe: "map of the track",
      keys: "Left and right arrows go from timestamp to timestamp, space marks a landmark or takes it back.",
      fitTitle: "Show the whole track",
      layer: this.layer,
      bounds: () => this.bounds,
      room: ROOM,
    });
    this.box = this.frame.box;
    this.map = this.frame.map;
    this.buildBar();
    this.listen();
    this.colours();
  }

  buildBar() {
    const toggle = (text, title, pressed, act) => {
      const button = h("button", { type: "button", "aria-pressed": String(pressed), title }, text);
      button.addEventListener("click", () => {
        const on = button.getAttribute("aria-pressed") !== "true";
        button.setAttribute("aria-pressed", String(on));
        act(on);
      });
      return button;
    };
    this.releaseButton = toggle("Release", "Show or hide the reported places", true, (on) => {
      this.seen.showRelease = on;
      this.layer.drawRelease();
    });
    this.boxButton = toggle("Box", "Draw a box to mark every timestamp in it (or hold Shift)", false, (on) => {
      this.boxMode = on;
      this.box.classList.toggle("lmdk-boxing", on);
    });
    this.frame.bar.prepend(this.releaseButton, this.boxButton);
  }

  listen() {
    const at = (event, reach) => this.nearest(this.map.mouseEventToContainerPoint(event), reach);
    this.map.on("click", (event) => {
      if (this.justBoxed) return;
      const found = this.nearest(event.containerPoint, this.coarse ? 26 : 15);
      if (found >= 0) this.act.toggle(found);
    });
    this.box.addEventListener("pointermove", (event) => {
      if (event.pointerType !== "mouse" || this.boxStart) return;
      const found = at(event, 15);
      this.box.classList.toggle("lmdk-pointing", found >= 0);
      this.act.hover(found);
    });
    this.box.addEventListener("pointerleave", () => this.act.hover(-1));
    this.box.addEventListener("keydown", (event) => this.key(event));
    this.box.addEventListener("focus", () => {
      if (this.seen.hovered < 0 && this.seen.truth && this.box.matches(":focus-visible")) this.act.hover(0);
    });
    // In the capture phase, before Leaflet starts to pan.
    this.box.addEventListener("pointerdown", (event) => this.boxDown(event), true);
    this.box.addEventListener("mousedown", (event) => this.boxStart && event.stopPropagation(), true);
    this.box.addEventListener("touchstart", (event) => this.boxStart && event.stopPropagation(), true);
  }

  boxDown(event) {
    this.coarse = event.pointerType !== "mouse";
    this.justBoxed = false;
    if (!(event.shiftKey || this.boxMode) || event.button !== 0 || event.target.closest(".leaflet-control")) return;
    event.preventDefault();
    const point = (e) => this.map.mouseEventToContainerPoint(e);
    const from = point(event);
    this.boxStart = from;
    this.box.setPointerCapture(event.pointerId);
    const move = (e) => {
      const to = point(e);
      this.seen.box = { x0: from.x, y0: from.y, x1: to.x, y1: to.y };
      this.layer.drawHover();
    };
    const up = (e) => {
      this.box.removeEventListener("pointermove", move);
      this.box.removeEventListener("pointerup", up);
      this.box.removeEventListener("pointercancel", up);
      this.boxStart = null;
      this.seen.box = null;
      this.layer.drawHover();
      const to = point(e);
      if (e.type === "pointercancel" || Math.hypot(to.x - from.x, to.y - from.y) < 4) return;
      this.justBoxed = true;
      this.markBox(from, to);
    };
    this.box.addEventListener("pointermove", move);
    this.box.addEventListener("pointerup", up);
    this.box.addEventListener("pointercancel", up);
  }

  markBox(a, b) {
    const { truth, landmarks } = this.seen;
    const t = this.layer.transform();
    const [x0, x1] = [Math.min(a.x, b.x), Math.max(a.x, b.x)];
    const [y0, y1] = [Math.min(a.y, b.y), Math.max(a.y, b.y)];
    const inside = [];
    for (let i = 0; i < truth.x.length; i++) {
      const [x, y] = [truth.x[i] * t.scale - t.x, truth.y[i] * t.scale - t.y];
      if (x >= x0 && x <= x1 && y >= y0 && y <= y1) inside.push(i);
    }
    // A box of landmarks only takes them back.
    if (inside.length) this.act.mark(inside, !inside.every((i) => landmarks.has(i)));
  }

  key(event) {
    const n = this.seen.truth?.x.length ?? 0;
    if (!n || event.altKey || event.ctrlKey || event.metaKey) return;
    const now = this.seen.hovered;
    const go = { ArrowRight: now + 1, ArrowLeft: now - 1, ArrowDown: now + 10, ArrowUp: now - 10, Home: 0, End: n - 1 };
    if (event.key in go) {
      const next = Math.max(0, Math.min(n - 1, go[event.key]));
      this.act.hover(next);
      this.map.panInside(this.at(next), { padding: [40, 40], animate: false });
    } else if ((event.key === " " || event.key === "Enter") && now >= 0) this.act.toggle(now);
    else if (event.key === "+" || event.key === "=") this.map.zoomIn();
    else if (event.key === "-") this.map.zoomOut();
    else return;
    event.preventDefault();
  }

  at(index) {
    return L.latLng(this.seen.latitudes[index], this.seen.longitudes[index]);
  }

  nearest(point, reach) {
    const { truth } = this.seen;
    if (!truth) return -1;
    const t = this.layer.transform();
    let best = reach * reach;
    let found = -1;
    for (let i = 0; i < truth.x.length; i++) {
      const dx = truth.x[i] * t.scale - t.x - point.x;
      const dy = truth.y[i] * t.scale - t.y - point.y;
      const d = dx * dx + dy * dy;
      if (d < best || (d === best && this.seen.landmarks.has(i))) {
        best = d;
        found = i;
      }
    }
    return found;
  }

  setTrack({ latitudes, longitudes, names, places }) {
    const unwrapped = unwrap(longitudes);
    const middle = unwrapped[0];
    Object.assign(this.seen, emptyDrawing(), {
      showRelease: this.seen.showRelease,
      colours: this.seen.colours,
      latitudes,
      longitudes: unwrapped,
      truth: project(latitudes, unwrapped),
      names,
      places: places.map(([latitude, longitude, text]) => ({
        x: worldX(longitude - 360 * Math.round((longitude - middle) / 360)),
        y: worldY(latitude),
        text,
      })),
    });
    const [south, north] = ends(latitudes);
    const [west, east] = ends(unwrapped);
    this.bounds = [
      [south, west],
      [north, east],
    ];
    this.fit();
  }

  setRelease(latitudes, longitudes, radius95) {
    this.seen.released = latitudes ? project(latitudes, unwrap(longitudes, this.seen.longitudes)) : null;
    this.seen.radius95 = radius95;
  }

  setLandmarks(landmarks, proposed = []) {
    const same = (a, b) => a.length === b.length && a.every((value, k) => value === b[k]);
    if (same([...landmarks], [...this.seen.landmarks]) && same(proposed, this.seen.proposed)) return;
    this.seen.landmarks = landmarks;
    this.seen.proposed = proposed;
    this.stale = true;
  }

  setHovered(index) {
    this.seen.hovered = index;
    this.layer.drawHover();
  }

  // What has changed: the release always, the track and its landmarks when they did.
  draw() {
    if (this.stale) this.layer.draw();
    else this.layer.drawRelease();
    this.stale = false;
  }

  redraw() {
    this.layer.draw();
  }

  fit() {
    this.frame.fit();
  }

  colours() {
    const style = getComputedStyle(this.box);
    const read = (name) => style.getPropertyValue(`--lmdk-${name}`).trim() || "gray";
    const names = ["paper", "ink", "quiet", "grid", "track", "regular", "landmark", "release", "link", "circle"];
    this.seen.colours = Object.fromEntries(names.map((name) => [name, read(name)]));
  }

  remove() {
    this.frame.remove();
  }
}

function ends(values) {
  return values.reduce(([low, high], v) => [Math.min(low, v), Math.max(high, v)], [Infinity, -Infinity]);
}

function emptyDrawing() {
  return {
    truth: null,
    released: null,
    radius95: null,
    latitudes: null,
    longitudes: null,
    landmarks: new Set(),
    proposed: [],
    names: [],
    places: [],
    hovered: -1,
    box: null,
    showRelease: true,
    colours: {},
  };
}
