// Draws a track, its release and its landmarks on canvases over a Leaflet map: what is believed about cells below everything;
// the release, which changes with every move of a slider; the track and its landmarks, which do not; on top what is looked at.
import L from "leaflet";
import { sized } from "../page/canvas.js";
import { pointsWithin } from "../page/span.js";
import { drawFound, placedFound } from "./found.js";
import { drawBelieved, drawHeat, drawPath } from "./heat.js";
import { drawGuess, drawPractice } from "./practice.js";
import { drawPinned, drawRelease } from "./release_canvas.js";
import { Rim } from "./rim.js";
import { drawSecret } from "./secret.js";
import { drawBox, drawGraticule, drawHovered, drawRegion, drawTrack, pixelsOf } from "./track_canvas.js";

// Pixels of a map that its buttons, its scale and its attribution take: no degrees are written there.
const CLEAR = { left: 130, right: 60, top: 85, bottom: 40 };

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
    this.seen.degrees = drawGraticule(context, this.view(), this.seen);
    if (this.seen.region) drawRegion(context, this.view(), this.seen);
    if (this.seen.truth) drawTrack(context, this.view(), this.seen);
    if (this.seen.heat) drawPath(context, this.view(), this.seen);
    this.drawHeat();
    this.drawRelease();
  },

  // What is believed about each cell, below everything else.
  drawHeat() {
    const context = this.emptied(this.below);
    if (this.seen.practice && this.seen.truth) drawPractice(context, this.view(), this.seen);
    if (this.seen.heat) drawHeat(context, this.view(), this.seen);
    this.drawHover();
  },

  drawRelease() {
    const context = this.emptied(this.under);
    const { span } = this.seen;
    const released = this.seen.showRelease ? pointsWithin(this.seen.released, span) : null;
    const part = { truth: pointsWithin(this.seen.truth, span), released, pinned: pointsWithin(this.seen.pinned, span), colours: this.seen.colours };
    if (released) drawRelease(context, this.view(), part);
    if (released && part.pinned) drawPinned(context, this.view(), part);
    this.rim ??= new Rim(this._map, this.under);
    const { found, taken } = this.seen;
    this.found = found && placedFound(context, this.view(), this.seen, ({ latitude, radius_m }) => pixelsOf(this.view(), latitude, radius_m));
    this.rim.draw(this.view(), released, { ...this.seen, taken: this.found?.taken ?? taken, kept: this.found?.boxes });
    this.drawHover();
  },

  drawHover() {
    const context = this.emptied(this.top);
    if (this.seen.heat) drawBelieved(context, this.view(), this.seen);
    if (this.found) drawFound(context, this.found, this.seen);
    if (this.seen.practice && this.seen.truth) drawGuess(context, this.view(), this.seen, this.found ?? { taken: this.seen.taken });
    if (this.seen.secret) drawSecret(context, this.view(), this.seen);
    if (this.seen.truth && this.seen.hovered >= 0) drawHovered(context, this.view(), this.seen);
    if (this.seen.box) drawBox(context, this.seen);
  },

  // The context of a sheet that is laid on a canvas of the map once it is drawn: writing on a canvas in the document lays out
  // the page, for each text.
  emptied(canvas) {
    const { x, y } = this._map.getSize();
    L.DomUtil.setPosition(canvas, this._map.containerPointToLayerPoint([0, 0]));
    const context = sized(canvas, x, y);
    this.sheets ??= new Map();
    if (!this.sheets.has(canvas)) this.sheets.set(canvas, Object.assign(document.createElement("canvas"), { laidOn: canvas }));
    const sheet = this.sheets.get(canvas);
    if (!sheet.waits) {
      sheet.waits = true;
      queueMicrotask(() => {
        sheet.waits = false;
        context.resetTransform(); // pixel for pixel
        if (sheet.width && sheet.height) context.drawImage(sheet, 0, 0);
      });
    }
    return sized(sheet, x, y);
  },

  // Where world pixels at zoom 0 are in the container: at(points, i), which is p * scale - offset.
  view() {
    const scale = 2 ** this._map.getZoom();
    const size = this._map.getSize();
    const { x: left, y: top } = this._map.getPixelOrigin().subtract(this._map._getMapPanePos());
    return {
      size,
      scale,
      left,
      top,
      clear: CLEAR,
      at: (points, i) => [points.x[i] * scale - left, points.y[i] * scale - top],
      shows: (x, y) => x > -20 && y > -20 && x < size.x + 20 && y < size.y + 20,
    };
  },
});
