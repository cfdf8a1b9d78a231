// The map of cells: probabilities as colours and numbers, the chosen cell, the best guess. A click, a tap or a key picks a
// cell; in paint mode a drag paints. It draws what the kernel sent and computes nothing but where the pointer is.

import { percent } from "../page/format.js";
import { drawGraticule, TrackLayer } from "./canvas_layer.js";
import { MapFrame } from "./map_frame.js";
import { worldX, worldY } from "./mercator.js";
import { classOf, readPalette } from "./scale.js";

// no cell under the buttons above, none on the degrees on the left and below
const ROOM = { paddingTopLeft: [54, 44], paddingBottomRight: [26, 26] };
const ROOM_FOR_NUMBERS = 36; // pixels of a cell
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

const CellLayer = TrackLayer.extend({
  draw() {
    this.place(this.base);
    const context = this.context(this.base);
    const seen = this.drawing();
    drawGraticule(context, this._map, seen.colours);
    if (seen.cells) drawCells(context, this.transform(), seen);
    this.drawHover();
  },

  drawHover() {
    this.place(this.top);
    const context = this.context(this.top);
    const seen = this.drawing();
    if (seen.cells) drawMarks(context, this.transform(), seen);
  },
});

export class CellMap {
  // act: { pick(cell), paint(cells), hover(cell) }
  constructor(element, act) {
    this.act = act;
    this.seen = { cells: null, values: [], shown: {}, cursor: -1, colours: {}, palette: [], streets: false };
    this.layer = new CellLayer(() => this.seen);
    this.frame = new MapFrame(element, {
      label: "Map of cells",
      describe: "map of cells",
      keys: "Arrows go from cell to cell, Enter or space picks one, or paints it.",
      className: "lmdk-placesmap",
      fitTitle: "Show all cells",
      layer: this.layer,
      bounds: () => this.bounds,
      room: ROOM,
      resized: () => this.colours(), // before, the page may not have been in the document
      streets: (on) => {
        this.seen.streets = on;
        this.layer.draw();
      },
    });
    this.box = this.frame.box;
    this.map = this.frame.map;
    this.colours();
    this.listen();
  }

  listen() {
    this.map.on("click", (event) => {
      const cell = this.cellAt(event.containerPoint);
      if (cell >= 0 && !this.painting) this.act.pick(cell);
    });
    const at = (event) => this.cellAt(this.map.mouseEventToContainerPoint(event));
    this.box.addEventListener("pointermove", (event) => {
      const cell = at(event);
      if (event.pointerType === "mouse") this.setCursor(cell);
      this.box.classList.toggle("lmdk-pointing", cell >= 0);
      if (this.stroke && cell >= 0) this.stroke.add(cell);
    });
    this.box.addEventListener("pointerleave", () => !this.stroke && this.setCursor(-1));
    // in the capture phase, before Leaflet starts to pan
    this.box.addEventListener("pointerdown", (event) => this.beginStroke(event, at(event)), true);
    for (const name of ["mousedown", "touchstart"]) {
      this.box.addEventListener(name, (event) => this.stroke && event.stopPropagation(), true);
    }
    this.box.addEventListener("keydown", (event) => this.key(event));
    this.box.addEventListener("focus", () => {
      if (this.seen.cursor < 0 && this.box.matches(":focus-visible")) this.setCursor(Math.max(0, this.seen.shown.selected ?? 0));
    });
  }

  beginStroke(event, cell) {
    if (!this.painting || event.button !== 0 || cell < 0 || event.target.closest(".leaflet-control")) return;
    this.stroke = new Set([cell]);
    const end = () => {
      window.removeEventListener("pointerup", end);
      window.removeEventListener("pointercancel", end);
      const cells = [...this.stroke];
      this.stroke = null;
      this.act.paint(cells);
    };
    window.addEventListener("pointerup", end);
    window.addEventListener("pointercancel", end);
  }

  key(event) {
    const { cells, cursor } = this.seen;
    if (!cells || event.ctrlKey || event.metaKey || event.altKey) return;
    if (ARROWS[event.key]) {
      this.setCursor(cursor < 0 ? Math.max(0, this.seen.shown.selected) : this.neighbour(cursor, ARROWS[event.key]));
    } else if ((event.key === "Enter" || event.key === " ") && cursor >= 0) {
      if (this.painting) this.act.paint([cursor]);
      else this.act.pick(cursor);
    } else if (event.key === "+" || event.key === "-") {
      this.map.zoomIn(event.key === "+" ? 0.5 : -0.5);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // The next cell in a direction: the nearest that lies more that way than aside.
  neighbour(from, [east, north]) {
    const { squares } = this.seen.cells;
    let best = from;
    let least = Infinity;
    for (let i = 0; i < squares.length / 2; i++) {
      const [dx, dy] = [squares[2 * i] - squares[2 * from], squares[2 * i + 1] - squares[2 * from + 1]];
      const along = dx * east + dy * north;
      const aside = Math.abs(dx * north + dy * east);
      if (along <= 0 || aside > along || along + 2 * aside >= least) continue;
      best = i;
      least = along + 2 * aside;
    }
    return best;
  }

  setCursor(cell) {
    if (cell === this.seen.cursor) return;
    this.seen.cursor = cell;
    this.layer.drawHover();
    this.act.hover(cell);
  }

  setMode(painting) {
    this.painting = painting;
    this.box.classList.toggle("lmdk-boxing", painting);
  }

  // base: degrees of the corner from which the corners of all cells are counted; latitudes, longitudes: four for each cell
  setCells({ base, latitudes, longitudes, squares, names }) {
    const key = [...base, ...latitudes, ...longitudes].join(" ");
    if (key === this.cellsKey) return;
    this.cellsKey = key;
    const x = Float64Array.from(longitudes, (v) => worldX(base[1] + v));
    const y = Float64Array.from(latitudes, (v) => worldY(base[0] + v));
    this.seen.cells = { x, y, squares, names };
    const size = [Math.max(...latitudes), Math.max(...longitudes)];
    this.bounds = [base, [base[0] + size[0], base[1] + size[1]]];
    this.fit();
  }

  setValues(values, shown) {
    Object.assign(this.seen, { values, shown });
    this.layer.draw();
  }

  cellAt({ x, y }) {
    const { cells } = this.seen;
    if (!cells) return -1;
    const t = this.layer.transform();
    for (let i = 0; i < cells.x.length / 4; i++) {
      const [left, right, top, bottom] = edges(cells, t, i);
      if (x >= left && x < right && y >= top && y < bottom) return i;
    }
    return -1;
  }

  fit() {
    this.frame.fit();
  }

  colours() {
    const style = getComputedStyle(this.box);
    const read = (name) => style.getPropertyValue(`--lmdk-${name}`).trim() || "gray";
    const names = ["paper", "ink", "quiet", "grid", "line", "regular", "landmark", "release", "accent"];
    this.seen.colours = Object.fromEntries(names.map((name) => [name, read(name)]));
    this.seen.palette = readPalette(style);
    this.layer.draw();
  }

  remove() {
    this.frame.remove();
  }
}

function edges({ x, y }, t, i) {
  const px = [0, 1, 2, 3].map((k) => x[4 * i + k] * t.scale - t.x);
  const py = [0, 1, 2, 3].map((k) => y[4 * i + k] * t.scale - t.y);
  return [Math.min(...px), Math.max(...px), Math.min(...py), Math.max(...py)];
}

function drawCells(context, t, { cells, values, palette, colours, streets }) {
  for (let i = 0; i < cells.x.length / 4; i++) {
    const [left, right, top, bottom] = edges(cells, t, i).map(Math.round);
    const look = palette[classOf(values[i])];
    context.globalAlpha = streets ? 0.72 : 1;
    context.fillStyle = look.fill;
    context.fillRect(left, top, right - left, bottom - top);
    context.globalAlpha = 1;
    context.strokeStyle = colours.line;
    context.lineWidth = 1;
    context.strokeRect(left + 0.5, top + 0.5, right - left - 1, bottom - top - 1);
    if (right - left < ROOM_FOR_NUMBERS) continue;
    const write = (text, x, y) => {
      if (streets) context.strokeText(text, x, y); // the cell lets streets of any colour through
      context.fillText(text, x, y);
    };
    context.fillStyle = look.text;
    context.strokeStyle = look.fill;
    context.lineWidth = 3;
    context.lineJoin = "round";
    context.font = "12.5px system-ui, sans-serif";
    context.textAlign = "center";
    const text = percent(values[i]);
    if (context.measureText(text).width < right - left - 4) write(text, (left + right) / 2, bottom - 8);
    context.font = "11px system-ui, sans-serif";
    context.textAlign = "left";
    write(cells.names[i], left + 5, top + 13);
  }
  context.textAlign = "left";
}

function drawMarks(context, t, { cells, shown, cursor, colours }) {
  const at = (i) => {
    const [left, right, top, bottom] = edges(cells, t, i);
    const radius = Math.max(5, Math.min(13, (right - left) / 5));
    return { x: (left + right) / 2, y: (top + bottom) / 2 - (right - left >= ROOM_FOR_NUMBERS ? 3 : 0), radius, left, right, top, bottom };
  };
  if (cursor >= 0) {
    const { left, right, top, bottom } = at(cursor);
    context.strokeStyle = colours.ink;
    context.lineWidth = 2.5;
    context.strokeRect(left + 1, top + 1, right - left - 2, bottom - top - 2);
  }
  const { selected, guess, meaning } = shown;
  if (selected >= 0 && meaning !== "prior") (meaning === "reports" ? circle : square)(context, at(selected), colours);
  if (guess >= 0) diamond(context, at(guess), colours, guess === selected);
}

function finish(context, fill, colours) {
  context.fillStyle = fill;
  context.strokeStyle = colours.paper;
  context.lineWidth = 4;
  context.stroke();
  context.fill();
  context.strokeStyle = colours.ink;
  context.lineWidth = 1.5;
  context.stroke();
}

// true place, report, best guess: told apart by shape as well as by colour
function circle(context, { x, y, radius }, colours) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  finish(context, colours.regular, colours);
}

function square(context, { x, y, radius }, colours) {
  context.beginPath();
  context.rect(x - radius, y - radius, 2 * radius, 2 * radius);
  finish(context, colours.release, colours);
}

function diamond(context, { x, y, radius }, colours, inside) {
  const r = inside ? radius * 0.75 : radius * 1.15;
  context.beginPath();
  context.moveTo(x, y - r);
  context.lineTo(x + r, y);
  context.lineTo(x, y + r);
  context.lineTo(x - r, y);
  context.closePath();
  finish(context, colours.landmark, colours);
}
