// Draws a track, its release and its landmarks on canvases over a Leaflet map: what is believed of cells below everything;
// the release, which changes with every move of a slider; the track and its landmarks, which do not; on top what is looked at.
import L from "leaflet";
import { diamond, disc, paint, path, sized } from "../page/canvas.js";
import { drawFound, placedFound } from "./found.js";
import { drawBelieved, drawHeat, drawPath } from "./heat.js";
import { WORLD } from "./mercator.js";
import { FONT, writeNames } from "./names.js";
import { drawPinned, drawRelease } from "./release_canvas.js";
import { Rim } from "./rim.js";

const EQUATOR_M = 2 * Math.PI * 6378137; // Web Mercator's own radius

/** @type {any} */
export const TrackLayer = L.Layer.extend({
  initialize(seen) {
    this.seen = seen; // what to draw: true and released positions in world pixels, landmarks, places, hovered, colours
  },

  onAdd(map) {
    const names = ["lmdk-below", "lmdk-canvas", "lmdk-canvas", "lmdk-canvas"];
    this.canvases = names.map((name) => L.DomUtil.create("canvas", name, map.getPanes().overlayPane));
    [this.below, this.under, this.base, this.top] = this.canvases;
    map.on("move zoom viewreset resize", this.draw, this);
    this.draw();
  },

  onRemove(map) {
    map.off("move zoom viewreset resize", this.draw, this);
    this.rim?.remove();
    for (const canvas of this.canvases) canvas.remove();
  },

  draw() {
    const context = this.emptied(this.base);
    this.seen.degrees = drawGraticule(context, this._map, this.seen);
    if (this.seen.region) drawRegion(context, this.view(), this.seen);
    if (this.seen.truth) drawTrack(context, this.view(), this.seen);
    if (this.seen.heat) drawPath(context, this.view(), this.seen);
    this.drawHeat();
    this.drawRelease();
  },

  // What is believed of each cell, below everything else.
  drawHeat() {
    const context = this.emptied(this.below);
    if (this.seen.heat) drawHeat(context, this.view(), this.seen);
    this.drawHover();
  },

  drawRelease() {
    const context = this.emptied(this.under);
    const released = this.seen.showRelease ? this.seen.released : null;
    if (released) drawRelease(context, this.view(), this.seen);
    if (released && this.seen.pinned) drawPinned(context, this.view(), this.seen);
    this.rim ??= new Rim(this._map, this.under);
    const { found, taken } = this.seen;
    this.found = found && placedFound(context, this.view(), this.seen, pixelsOf(this.view(), found.latitude, found.radius_m));
    this.rim.draw(this.view(), released, { ...this.seen, taken: this.found?.taken ?? taken });
    this.drawHover();
  },

  drawHover() {
    const context = this.emptied(this.top);
    if (this.seen.heat) drawBelieved(context, this.view(), this.seen);
    if (this.found) drawFound(context, this.found, this.seen);
    if (this.seen.truth && this.seen.hovered >= 0) drawHovered(context, this.view(), this.seen);
    if (this.seen.box) drawBox(context, this.seen);
  },

  // The context of a canvas that lies over the map as it is now.
  emptied(canvas) {
    const { x, y } = this._map.getSize();
    L.DomUtil.setPosition(canvas, this._map.containerPointToLayerPoint([0, 0]));
    return sized(canvas, x, y);
  },

  // Where world pixels at zoom 0 are in the container: at(points, i), which is p * scale - offset.
  view() {
    const scale = 2 ** this._map.getZoom();
    const size = this._map.getSize();
    const { x: left, y: top } = this._map.getPixelOrigin().subtract(this._map._getMapPanePos());
    return {
      size,
      scale,
      at: (points, i) => [points.x[i] * scale - left, points.y[i] * scale - top],
      shows: (x, y) => x > -20 && y > -20 && x < size.x + 20 && y < size.y + 20,
    };
  },
});

// Gives where its degrees are written: left, top and width of each.
export function drawGraticule(context, map, { colours, size: larger }) {
  const written = [];
  const say = (text, x, y) => {
    context.fillText(text, x, y);
    written.push([x, y - 10 * larger, context.measureText(text).width]);
  };
  const bounds = map.getBounds();
  const step = graticuleStep(bounds.getEast() - bounds.getWest());
  const digits = Math.max(0, Math.ceil(-Math.log10(step)));
  const size = map.getSize();
  context.font = FONT("", 10, larger);
  context.fillStyle = colours.quiet;
  context.beginPath();
  const eachLine = (from, to, draw) => {
    for (let k = Math.ceil(from / step); k * step <= to && k < Math.ceil(from / step) + 40; k++) draw(k * step);
  };
  eachLine(bounds.getWest(), bounds.getEast(), (longitude) => {
    const x = Math.round(map.latLngToContainerPoint([0, longitude]).x) + 0.5;
    context.moveTo(x, 0);
    context.lineTo(x, size.y);
    const shown = ((((longitude + 180) % 360) + 360) % 360) - 180;
    // below, where there are no buttons; clear of the scale bar on the left and the attribution on the right
    const text = `${Math.abs(shown).toFixed(digits)}° ${shown < 0 ? "W" : "E"}`;
    if (x > 130 && x < size.x - 60) say(text, x + 3, size.y - 6);
  });
  eachLine(Math.max(-85, bounds.getSouth()), Math.min(85, bounds.getNorth()), (latitude) => {
    const y = Math.round(map.latLngToContainerPoint([latitude, 0]).y) + 0.5;
    context.moveTo(0, y);
    context.lineTo(size.x, y);
    // clear of the zoom buttons in the corner above and the scale bar below
    if (y > 85 && y < size.y - 40) {
      say(`${Math.abs(latitude).toFixed(digits)}° ${latitude < 0 ? "S" : "N"}`, 3, y - 3);
    }
  });
  paint(context, { stroke: colours.grid });
  return written;
}

function graticuleStep(span) {
  const rough = span / 6;
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((k) => k * power).find((s) => s >= rough) ?? 10 * power;
}

// The box that everybody may know: thin and dashed.
function drawRegion(context, { at }, { region, colours }) {
  const [[left, bottom], [right, top]] = [at(region, 0), at(region, 1)];
  paint(context, { stroke: colours.quiet, width: 1, dash: [6, 4] }, left, top, right - left, bottom - top);
}

function drawTrack(context, view, seen) {
  const { truth, colours } = seen;
  const n = truth.x.length;
  context.beginPath();
  let [lastX, lastY] = [NaN, NaN];
  for (let i = 0; i < n; i++) {
    const [x, y] = view.at(truth, i);
    // less than a pixel on from the last corner shows nothing
    if (i && i < n - 1 && Math.abs(x - lastX) < 1 && Math.abs(y - lastY) < 1) continue;
    context.lineTo(x, y);
    [lastX, lastY] = [x, y];
  }
  paint(context, { stroke: colours.track, width: 1.5 });

  const taken = thinner(view.size);
  const radius = n > 3000 ? 1.7 : n > 300 ? 2.5 : 5;
  context.beginPath();
  for (let i = 0; i < n; i++) {
    const [x, y] = view.at(truth, i);
    if (!view.shows(x, y) || taken(x, y)) continue;
    context.moveTo(x + radius, y);
    context.arc(x, y, radius, 0, 2 * Math.PI);
  }
  paint(context, { fill: colours.regular, stroke: n <= 300 && colours.paper });

  seen.taken = writeNames(context, view, seen, radius + 2);
  const mark = (i, r, look) => {
    diamond(context, ...view.at(truth, i), r);
    paint(context, look);
  };
  for (const i of seen.proposed) mark(i, 11, { stroke: colours.landmark, width: 2.5 });
  for (const i of seen.dummies) mark(i, 9, { fill: colours.paper, stroke: colours.landmark, width: 2.5 });
  for (const i of seen.landmarks) mark(i, 9, { fill: colours.landmark, stroke: colours.ink, width: 1.5 });
}

// Says whether a pixel block already holds a mark.
function thinner(size) {
  const columns = Math.ceil(size.x / 2) + 22;
  const taken = new Uint8Array(columns * (Math.ceil(size.y / 2) + 22));
  return (x, y) => {
    const cell = (Math.floor(y / 2) + 10) * columns + Math.floor(x / 2) + 10;
    if (taken[cell]) return true;
    taken[cell] = 1;
    return false;
  };
}

// How many pixels so many metres are at a latitude.
const pixelsOf = ({ scale }, latitude, metres) => (metres * WORLD * scale) / (EQUATOR_M * Math.cos((latitude * Math.PI) / 180));

// The radius of the 95 % circle around a timestamp, in pixels.
export function circleOf(view, { radius95, latitudes }, i) {
  return pixelsOf(view, latitudes[i], radius95?.[i] || 0);
}

// A circle that is wider than the map would be a tint of all of it.
export const widerThan = ({ x, y }, radius) => 2 * radius > Math.max(x, y);

function drawHovered(context, view, seen) {
  const { truth, released, showRelease, hovered: i, colours } = seen;
  const { at, size } = view;
  const [x, y] = at(truth, i);
  const radius = circleOf(view, seen, i);
  if (radius > 0 && radius < 1e5) {
    disc(context, x, y, radius);
    paint(context, { fill: widerThan(size, radius) ? null : colours.circle, stroke: colours.ink, width: 1.5, dash: [6, 4] });
  }
  if (released && showRelease && !Number.isNaN(released.x[i])) {
    const [a, b] = at(released, i);
    path(context, x, y, a, b);
    paint(context, { stroke: colours.ink, width: 2 });
    paint(context, { stroke: colours.release, width: 2 }, a - 6, b - 6, 12, 12);
  }
  disc(context, x, y, 13);
  paint(context, { stroke: colours.ink, width: 2.5 });
}

function drawBox(context, { box: { x0, y0, x1, y1 }, colours }) {
  paint(context, { fill: colours.circle, stroke: colours.landmark, width: 1.5, dash: [4, 3] }, x0, y0, x1 - x0, y1 - y0);
}
