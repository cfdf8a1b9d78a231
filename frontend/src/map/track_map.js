// The map: the track, its release and its landmarks. Click, tap, box or keyboard asks for landmarks; hovering is shared.
import L from "leaflet";
import { setText, switchButton } from "../page/dom.js";
import { markBox, reached, tap } from "../page/marking.js";
import { endsOfSpan, within } from "../page/span.js";
import { TrackLayer } from "./canvas_layer.js";
import { cellAt } from "./heat.js";
import { MapFrame } from "./map_frame.js";
import { moveBeside, project, unwrap } from "./mercator.js";
import { circleOf, widerThan } from "./track_canvas.js";

// no point under the buttons above
const ROOM = { paddingTopLeft: [36, 56], paddingBottomRight: [36, 36], maxZoom: 16.5 };
const MARKS = { landmarks: new Set(), proposed: [], dummies: [] };
const MARKED = "◆ landmark, ● regular timestamp, ✕ release; ➤ releases off the map, how far beyond its rim";
const EMPTY = {
  truth: null,
  span: null,
  released: null,
  pinned: null,
  radius95: null,
  found: null,
  practice: null,
  secret: null,
  ...MARKS,
  hovered: -1,
  box: null,
  heat: null,
};

export class TrackMap extends MapFrame {
  // act: { toggle(index), mark(indices, on), hover(index, tapped), pick(cell), place(latlng): whether that was all }, tapped: by a finger, whose next tap marks it
  constructor(element, act) {
    super(element, {
      label: "Map",
      describe: "map of the track",
      keys: "Left and right arrows go from timestamp to timestamp, space marks or unmarks a landmark.",
      fitTitle: "Show the whole track; pressed again, the track and its whole release",
      Layer: TrackLayer,
      seen: { ...EMPTY, showRelease: true },
      room: ROOM,
    });
    this.act = act;
    this.marks = MARKED;
    this.map.on("click", (event) => {
      if (!this.justBoxed && this.act.place?.(event.latlng)) return;
      const found = this.justBoxed ? -1 : this.nearest(event.containerPoint, this.coarse ? 26 : 15);
      if (found < 0 && this.seen.heat && !this.justBoxed) this.act.pick(cellAt(this.layer.view(), this.seen.heat, event.containerPoint));
      if (this.coarse) this.tapped = tap(this.act, found, this.tapped);
      else if (found >= 0) act.toggle(found);
    });
    const release = (on) => {
      this.seen.showRelease = on;
      this.layer.drawRelease();
    };
    const boxing = (on) => {
      this.boxMode = on;
      this.box.classList.toggle("lmdk-boxing", on);
    };
    this.releaseButton = switchButton("Release", true, release, { title: "Show or hide the reported places" });
    const boxButton = switchButton("Box", false, boxing, { title: "Draw a box to mark every timestamp in it (or hold Shift)" });
    this.bar.prepend(this.releaseButton, boxButton);
  }

  move(event, place) {
    if (this.stroke) {
      this.seen.box = { x0: this.stroke.x, y0: this.stroke.y, x1: place.x, y1: place.y };
      this.layer.drawHover();
    } else if (event.pointerType === "mouse") {
      const found = this.nearest(place, 15);
      this.box.classList.toggle("lmdk-pointing", found >= 0);
      this.look(found);
    }
  }

  look(index) {
    this.act.hover(index);
  }

  enter() {
    if (this.seen.hovered < 0 && this.seen.truth) this.look(0);
  }

  press(event, from) {
    this.coarse = event.pointerType !== "mouse";
    this.justBoxed = false;
    if (!(event.shiftKey || this.boxMode) || event.button !== 0 || event.target.closest(".leaflet-control")) return;
    event.preventDefault();
    this.box.setPointerCapture(event.pointerId);
    this.draws(from, ({ type }, to) => {
      this.seen.box = null;
      this.layer.drawHover();
      if (type === "pointercancel" || Math.hypot(to.x - from.x, to.y - from.y) < 4) return;
      this.justBoxed = true;
      const { truth, landmarks } = this.seen;
      const { at } = this.layer.view();
      markBox(this.act, from, to, this.shown(), (i) => at(truth, i), landmarks);
    });
  }

  key(event) {
    const n = this.seen.truth?.x.length ?? 0;
    if (!n) return;
    const now = this.seen.hovered;
    const next = reached(event.key, now, this.shown());
    if (next !== undefined) {
      this.look(next);
      this.map.panInside([this.seen.latitudes[next], this.seen.longitudes[next]], { padding: [40, 40], animate: false });
    } else if ((event.key === " " || event.key === "Enter") && now >= 0) this.act.toggle(now);
    else if (event.key === "+" || event.key === "=") this.map.zoomIn();
    else if (event.key === "-") this.map.zoomOut();
    else return;
    event.preventDefault();
  }

  nearest(point, reach) {
    const { truth, landmarks } = this.seen;
    const { at } = this.layer.view();
    let best = reach * reach;
    let found = -1;
    const [first, last] = truth ? this.shown() : [0, -1];
    for (let i = first; i <= last; i++) {
      const [x, y] = at(truth, i);
      const d = (x - point.x) ** 2 + (y - point.y) ** 2;
      if (d < best || (d === best && landmarks.has(i))) [best, found] = [d, i];
    }
    return found;
  }

  setTrack({ latitudes, longitudes, names, places }) {
    const unwrapped = unwrap(longitudes);
    const column = (k) => places.map((place) => place[k]);
    const beside = unwrap(column(1), new Array(places.length).fill(unwrapped[0]));
    const named = { ...project(column(0), beside), text: column(2) };
    this.secretTold = "";
    Object.assign(this.seen, EMPTY, { latitudes, longitudes: unwrapped, truth: project(latitudes, unwrapped), names, places: named });
    this.bound();
    this.placeRegion();
    this.wide = false;
    this.offer(false);
    this.tapped = -1;
    this.reported = null;
    this.fit();
  }

  // The first and the last timestamp that are shown.
  shown() {
    return endsOfSpan(this.seen.span, this.seen.truth.x.length);
  }

  // The part of the time that every view shows: the map stays where it is, and its button Fit goes there.
  setSpan(span) {
    this.seen.span = span;
    this.bound();
    this.wide = false;
    this.offer(false);
    this.layer.draw();
  }

  bound() {
    const { latitudes, longitudes, span } = this.seen;
    const [[south, north], [west, east]] = [latitudes, longitudes].map((values) => ends(within(values, span)));
    this.bounds = L.latLngBounds([south, west], [north, east]);
  }

  setRelease(latitudes, longitudes, radius95) {
    const unwrapped = latitudes && unwrap(longitudes, this.seen.longitudes);
    this.seen.released = latitudes ? project(latitudes, unwrapped) : null;
    this.reported = latitudes ? [latitudes, unwrapped] : null;
    this.seen.radius95 = radius95;
  }

  // The release of the option that is kept beside this one; nothing: none.
  setPinned(latitudes, longitudes) {
    this.seen.pinned = latitudes ? project(latitudes, unwrap(longitudes, this.seen.longitudes)) : null;
  }

  // Where lasting places are found, nearest found first: [latitude, longitude, radius in metres, whether that is near, name,
  // that radius as the answers say it].
  setFound(circles) {
    const [latitudes, longitudes] = [0, 1].map((k) => circles.map((circle) => circle[k]));
    const beside = () => unwrap(longitudes, new Array(circles.length).fill(this.seen.longitudes[0]));
    const marks = circles.map(([latitude, , radius_m, near, name, distance]) => ({ latitude, radius_m, near, name, distance }));
    this.seen.found = circles.length && this.seen.truth ? { ...project(latitudes, beside()), marks } : null;
    this.late = true; // mostly the release follows at once, and is drawn with it
    requestAnimationFrame(() => this.late && this.box.isConnected && this.layer.drawRelease());
  }

  // What is done today: arrays of what is published and of cells, degrees; zones: [latitude, longitude, metres]; cell: its sides,
  // metres; guess: [latitude, longitude]; null: nothing.
  setPractice(practice) {
    const beside = (longitudes) => unwrap(longitudes, new Array(longitudes.length).fill(this.seen.longitudes?.[0] ?? 0));
    const placed = (latitudes, longitudes) => project(latitudes, beside(longitudes));
    this.seen.practice = practice && {
      published: placed(practice.latitude, practice.longitude),
      cells: placed(practice.cell_latitude, practice.cell_longitude),
      zones: placed(...[0, 1].map((k) => practice.zones.map((each) => each[k]))),
      radii: practice.zones.map((each) => each[2]),
      latitude: practice.latitude[0],
      cell: practice.cell,
      guess: placed(practice.guess.slice(0, 1), practice.guess.slice(1)),
    };
    this.layer.drawHeat();
    if (this.seen.found) this.layer.drawRelease(); // beside a practice, its circles say whose they are
  }

  // The places of a secret: [latitude, longitude, name] each; none: nothing is drawn.
  setSecret(marks) {
    const told = JSON.stringify(marks);
    if (told === this.secretTold || !this.seen.truth) return;
    this.secretTold = told;
    const column = (k) => marks.map((mark) => mark[k]);
    const beside = () => unwrap(column(1), new Array(marks.length).fill(this.seen.longitudes[0]));
    this.seen.secret = marks.length ? { ...project(column(0), beside()), text: column(2) } : null;
    this.layer.drawHover();
  }

  // South, west, north and east of the region, degrees; null: none is drawn.
  setRegion(limits) {
    if (JSON.stringify(limits) === JSON.stringify(this.limits)) return;
    this.limits = limits;
    this.placeRegion();
    this.layer.draw();
  }

  // Its corners in world pixels, on the side of the antimeridian on which the track lies.
  placeRegion() {
    const [south, west, north, east] = this.limits ?? [];
    const beside = [this.seen.longitudes?.[0] ?? west];
    this.seen.region = this.limits ? project([south, north], unwrap([west, east], [beside[0], beside[0]])) : null;
  }

  // What is believed about cells; null: nothing is. cells: from `cellsOf`; marks: a byte for each cell; guess, truth: cells;
  // path: the cell of each timestamp; picked: the cell that is looked at over time, or -1.
  setHeat(heat) {
    const other = heat?.path !== this.seen.heat?.path || heat?.cells !== this.seen.heat?.cells;
    if (heat && this.seen.truth) moveBeside(heat.cells.corners.x, this.seen.truth.x[0]);
    this.seen.heat = heat;
    if (other)
      this.layer.draw(); // the path lies over the track
    else this.layer.drawHeat();
  }

  // The track; pressed again, the track and its release.
  fitNext() {
    this.wide = this.mayWiden && Boolean(this.reported) && this.seen.showRelease;
    this.fit();
    this.offer(!this.wide);
  }

  // Whether the button Fit goes on to all there is.
  offer(all) {
    this.mayWiden = all;
    setText(this.fitButton, all ? "Fit all" : "Fit");
  }

  moved() {
    super.moved();
    this.offer(false);
  }

  extent() {
    if (!this.wide) return this.bounds;
    const [[south, north], [west, east]] = this.reported.map((values) => ends(within(values, this.seen.span)));
    const all = L.latLngBounds(this.bounds.getSouthWest(), this.bounds.getNorthEast());
    return south <= north ? all.extend([south, west]).extend([north, east]) : all;
  }

  // Whether the circle around a timestamp is too wide for the map as it is now.
  isTooWide(index) {
    return widerThan(this.map.getSize(), circleOf(this.layer.view(), this.seen, index));
  }

  // dummies, proposed: drawn hollow
  setLandmarks(landmarks, proposed = [], dummies = []) {
    const same = (a, b) => a.length === b.length && a.every((value, k) => value === b[k]);
    if (same([...landmarks], [...this.seen.landmarks]) && same(proposed, this.seen.proposed) && same(dummies, this.seen.dummies)) return;
    Object.assign(this.seen, { landmarks, proposed, dummies });
    this.stale = true;
  }

  setHovered(index) {
    this.seen.hovered = index;
    this.layer.drawHover();
  }

  // What has changed: the release always, the track and its landmarks when they did.
  draw() {
    this.late = false;
    if (this.stale) this.layer.draw();
    else this.layer.drawRelease();
    this.stale = false;
  }
}

// The least and the greatest of the values that are numbers.
function ends(values) {
  let [low, high] = [Infinity, -Infinity];
  for (const v of values) {
    if (v < low) low = v;
    if (v > high) high = v;
  }
  return [low, high];
}
