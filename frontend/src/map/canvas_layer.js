// Draws a track, its release and its landmarks on three canvases over a Leaflet map: the release below, which changes
// with every move of a slider; the track and its landmarks, which do not; the hovered timestamp on top.
import L from "leaflet";
import { WORLD } from "./mercator.js";
import { drawRelease } from "./release_canvas.js";

const FONT = (size) => `${size} system-ui, sans-serif`;
const EQUATOR_M = 2 * Math.PI * 6378137; // Web Mercator's own radius

/** @type {any} */
export const TrackLayer = L.Layer.extend({
  initialize(drawing) {
    // drawing() gives what to draw: true and released positions in world pixels, landmarks, places, hovered, colours
    this.drawing = drawing;
  },

  onAdd(map) {
    const pane = map.getPanes().overlayPane;
    this.under = L.DomUtil.create("canvas", "lmdk-canvas", pane);
    this.base = L.DomUtil.create("canvas", "lmdk-canvas", pane);
    this.top = L.DomUtil.create("canvas", "lmdk-canvas", pane);
    map.on("move zoom viewreset resize", this.draw, this);
    this.draw();
  },

  onRemove(map) {
    map.off("move zoom viewreset resize", this.draw, this);
    this.under.remove();
    this.base.remove();
    this.top.remove();
  },

  draw() {
    this.place(this.base);
    const context = this.context(this.base);
    const seen = this.drawing();
    drawGraticule(context, this._map, seen.colours);
    if (seen.truth) drawTrack(context, this.transform(), this._map.getSize(), seen);
    this.drawRelease();
  },

  drawRelease() {
    this.place(this.under);
    const context = this.context(this.under);
    const seen = this.drawing();
    if (seen.released && seen.showRelease) drawRelease(context, this.transform(), this._map.getSize(), seen);
    this.drawHover();
  },

  drawHover() {
    this.place(this.top);
    const context = this.context(this.top);
    const seen = this.drawing();
    if (seen.truth && seen.hovered >= 0) drawHovered(context, this.transform(), this._map.getZoom(), seen);
    if (seen.box) drawBox(context, seen);
  },

  place(canvas) {
    const size = this._map.getSize();
    const ratio = window.devicePixelRatio || 1;
    if (canvas.width !== Math.round(size.x * ratio) || canvas.height !== Math.round(size.y * ratio)) {
      canvas.width = Math.round(size.x * ratio);
      canvas.height = Math.round(size.y * ratio);
      canvas.style.width = `${size.x}px`;
      canvas.style.height = `${size.y}px`;
    }
    L.DomUtil.setPosition(canvas, this._map.containerPointToLayerPoint([0, 0]));
  },

  context(canvas) {
    const ratio = window.devicePixelRatio || 1;
    const context = canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    return context;
  },

  // World pixels at zoom 0 to pixels of the container: p * scale - offset.
  transform() {
    const scale = 2 ** this._map.getZoom();
    const origin = this._map.getPixelOrigin().subtract(this._map._getMapPanePos());
    return { scale, x: origin.x, y: origin.y };
  },
});

export function drawGraticule(context, map, colours) {
  const bounds = map.getBounds();
  const step = graticuleStep(bounds.getEast() - bounds.getWest());
  const digits = Math.max(0, Math.ceil(-Math.log10(step)));
  const size = map.getSize();
  context.strokeStyle = colours.grid;
  context.fillStyle = colours.quiet;
  context.font = "10px system-ui, sans-serif";
  context.lineWidth = 1;
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
    if (x > 130 && x < size.x - 60) context.fillText(text, x + 3, size.y - 6);
  });
  eachLine(Math.max(-85, bounds.getSouth()), Math.min(85, bounds.getNorth()), (latitude) => {
    const y = Math.round(map.latLngToContainerPoint([latitude, 0]).y) + 0.5;
    context.moveTo(0, y);
    context.lineTo(size.x, y);
    // clear of the zoom buttons in the corner above and the scale bar below
    if (y > 85 && y < size.y - 40) {
      context.fillText(`${Math.abs(latitude).toFixed(digits)}° ${latitude < 0 ? "S" : "N"}`, 3, y - 3);
    }
  });
  context.stroke();
}

function graticuleStep(span) {
  const rough = span / 6;
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((k) => k * power).find((s) => s >= rough) ?? 10 * power;
}

function drawTrack(context, t, size, seen) {
  const { truth, colours } = seen;
  const px = (p, i) => p.x[i] * t.scale - t.x;
  const py = (p, i) => p.y[i] * t.scale - t.y;
  const n = truth.x.length;

  context.strokeStyle = colours.track;
  context.lineWidth = 1.5;
  context.beginPath();
  let lastX = NaN;
  let lastY = NaN;
  for (let i = 0; i < n; i++) {
    const x = px(truth, i);
    const y = py(truth, i);
    // less than a pixel on from the last corner shows nothing
    if (i && i < n - 1 && Math.abs(x - lastX) < 1 && Math.abs(y - lastY) < 1) continue;
    if (i) context.lineTo(x, y);
    else context.moveTo(x, y);
    [lastX, lastY] = [x, y];
  }
  context.stroke();

  const inside = (x, y) => x > -20 && y > -20 && x < size.x + 20 && y < size.y + 20;
  const shown = thinner(size);
  const radius = n > 3000 ? 1.7 : n > 300 ? 2.5 : 5;
  context.fillStyle = colours.regular;
  context.strokeStyle = colours.paper;
  context.lineWidth = 1;
  context.beginPath();
  for (let i = 0; i < n; i++) {
    const [x, y] = [px(truth, i), py(truth, i)];
    if (!inside(x, y) || shown(x, y)) continue;
    context.moveTo(x + radius, y);
    context.arc(x, y, radius, 0, 2 * Math.PI);
  }
  context.fill();
  if (n <= 300) context.stroke();

  const names = n <= 30 ? Array.from({ length: n }, (_, i) => nameAt(context, px(truth, i), py(truth, i), seen.names[i])) : [];
  drawPlaces(context, t, size, seen, names); // under the landmarks
  for (const i of seen.proposed) diamond(context, px(truth, i), py(truth, i), 11, null, colours.landmark);
  for (const i of seen.landmarks) diamond(context, px(truth, i), py(truth, i), 9, colours.landmark, colours.ink);
  for (const { x, y, text } of names) label(context, x, y + 11, text, colours, "bold 12px");
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

function diamond(context, x, y, r, fill, stroke) {
  context.beginPath();
  context.moveTo(x, y - r);
  context.lineTo(x + r, y);
  context.lineTo(x, y + r);
  context.lineTo(x - r, y);
  context.closePath();
  if (fill) {
    context.fillStyle = fill;
    context.fill();
  }
  context.strokeStyle = stroke;
  context.lineWidth = fill ? 1.5 : 2.5;
  context.stroke();
}

function label(context, x, y, text, colours, font) {
  context.font = FONT(font);
  context.lineWidth = 3;
  context.lineJoin = "round";
  context.strokeStyle = colours.paper;
  context.fillStyle = colours.ink;
  context.strokeText(text, x, y);
  context.fillText(text, x, y);
}

// Where the name of a timestamp is written: above and to the right of its mark.
function nameAt(context, x, y, text) {
  context.font = FONT("bold 12px");
  return { x: x + 10, y: y - 20, width: context.measureText(text).width, text };
}

// Names of places, where there is room beside the names of timestamps and of other places.
function drawPlaces(context, t, size, seen, taken) {
  const { colours } = seen;
  const written = [...taken];
  for (const place of seen.places) {
    const [x, y] = [place.x * t.scale - t.x, place.y * t.scale - t.y];
    context.fillStyle = colours.quiet;
    context.fillRect(x - 2, y - 2, 4, 4);
    context.font = FONT("italic 12px");
    const width = context.measureText(place.text).width;
    const spots = [
      [x + 7, y + 4],
      [x - width - 7, y + 4],
      [x + 7, y - 17],
      [x - width - 7, y - 17],
    ];
    const free = spots.find(([left, top]) => {
      const inside = left > 2 && left + width < size.x - 2 && top > 2 && top < size.y - 14;
      return inside && written.every((w) => left > w.x + w.width + 3 || left + width + 3 < w.x || Math.abs(top - w.y) > 13);
    });
    if (!free) continue;
    written.push({ x: free[0], y: free[1], width });
    label(context, free[0], free[1] + 11, place.text, { ...colours, ink: colours.quiet }, "italic 12px");
  }
}

function drawHovered(context, t, zoom, seen) {
  const { truth, released, hovered: i, colours } = seen;
  const [x, y] = [truth.x[i] * t.scale - t.x, truth.y[i] * t.scale - t.y];
  const radius = seen.radius95 ? seen.radius95[i] : NaN;
  context.strokeStyle = colours.ink;
  if (radius > 0) {
    const metresPerPixel = (EQUATOR_M * Math.cos((seen.latitudes[i] * Math.PI) / 180)) / (WORLD * 2 ** zoom);
    context.beginPath();
    context.arc(x, y, radius / metresPerPixel, 0, 2 * Math.PI);
    context.fillStyle = colours.circle;
    context.fill();
    context.setLineDash([6, 4]);
    context.lineWidth = 1.5;
    context.stroke();
    context.setLineDash([]);
  }
  if (released && seen.showRelease && !Number.isNaN(released.x[i])) {
    const [a, b] = [released.x[i] * t.scale - t.x, released.y[i] * t.scale - t.y];
    context.lineWidth = 2;
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(a, b);
    context.stroke();
    context.strokeStyle = colours.release;
    context.strokeRect(a - 6, b - 6, 12, 12);
  }
  context.strokeStyle = colours.ink;
  context.lineWidth = 2.5;
  context.beginPath();
  context.arc(x, y, 13, 0, 2 * Math.PI);
  context.stroke();
}

function drawBox(context, seen) {
  const { x0, y0, x1, y1 } = seen.box;
  context.strokeStyle = seen.colours.landmark;
  context.fillStyle = seen.colours.circle;
  context.lineWidth = 1.5;
  context.setLineDash([4, 3]);
  context.fillRect(x0, y0, x1 - x0, y1 - y0);
  context.strokeRect(x0, y0, x1 - x0, y1 - y0);
  context.setLineDash([]);
}
