// The map of cells: probabilities as colours and numbers, the chosen cell, the best guess. A click, a tap or a key picks a
// cell; in paint mode a drag paints. It draws what the kernel sent and computes nothing but where the pointer is.

import { box, diamond, disc, paint, write } from "../page/canvas.js";
import { percent } from "../page/format.js";
import { drawGraticule, TrackLayer } from "./canvas_layer.js";
import { MapFrame } from "./map_frame.js";
import { project } from "./mercator.js";
import { FONT } from "./names.js";
import { classOf, readPalette } from "./scale.js";

// no cell under the buttons above, none on the degrees on the left and below
const ROOM = { paddingTopLeft: [54, 44], paddingBottomRight: [26, 26] };
const ROOM_FOR_NUMBERS = 36; // pixels of a cell
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

const CellLayer = TrackLayer.extend({
  draw() {
    const context = this.emptied(this.base);
    drawGraticule(context, this._map, this.seen);
    if (this.seen.cells) for (const draw of [drawCells, drawEdges, drawNumbers]) draw(context, this.view(), this.seen);
    this.drawHover();
  },

  drawHover() {
    const context = this.emptied(this.top);
    if (this.seen.cells) drawMarks(context, this.view(), this.seen);
  },
});

export class CellMap extends MapFrame {
  // act: { pick(cell), paint(cells), hover(cell) }
  constructor(element, act) {
    super(element, {
      label: "Map of cells",
      describe: "map of cells",
      keys: "Arrows go from cell to cell, Enter or space picks one, or paints it.",
      className: "lmdk-placesmap",
      fitTitle: "Show all cells",
      Layer: CellLayer,
      seen: { cells: null, values: [], edges: [], binding: [], shown: {}, cursor: -1 },
      room: ROOM,
    });
    this.act = act;
    this.map.on("click", (event) => {
      const cell = this.cellAt(event.containerPoint);
      if (cell >= 0 && !this.painting) act.pick(cell);
    });
  }

  move(event, place) {
    const cell = this.cellAt(place);
    if (event.pointerType === "mouse") this.look(cell);
    this.box.classList.toggle("lmdk-pointing", cell >= 0);
    if (this.stroke && cell >= 0) this.stroke.add(cell);
  }

  enter() {
    if (this.seen.cursor < 0) this.look(Math.max(0, this.seen.shown.selected ?? 0));
  }

  press(event, place) {
    const cell = this.cellAt(place);
    if (!this.painting || event.button !== 0 || cell < 0 || event.target.closest(".leaflet-control")) return;
    const cells = new Set([cell]);
    this.draws(cells, () => this.act.paint([...cells]));
  }

  key(event) {
    const { cells, cursor, shown } = this.seen;
    if (!cells) return;
    if (ARROWS[event.key]) this.look(cursor < 0 ? Math.max(0, shown.selected) : this.neighbour(cursor, ARROWS[event.key]));
    else if ((event.key === "Enter" || event.key === " ") && cursor >= 0) {
      if (this.painting) this.act.paint([cursor]);
      else this.act.pick(cursor);
    } else if (event.key === "+") this.map.zoomIn();
    else if (event.key === "-") this.map.zoomOut();
    else return;
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
      [best, least] = [i, along + 2 * aside];
    }
    return best;
  }

  look(cell) {
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
    const [south, west] = base;
    const [north, east] = [Float64Array.from(latitudes, (v) => south + v), Float64Array.from(longitudes, (v) => west + v)];
    this.seen.cells = { ...project(north, east), squares, names };
    this.bounds = [base, [Math.max(...north), Math.max(...east)]];
    this.fit();
  }

  // edges: pairs of cells, binding: 1 where the constraint of an edge is met with equality; none where no spanner is shown
  setValues(values, shown, { edges = [], binding = [] } = {}) {
    Object.assign(this.seen, { values, shown, edges, binding });
    this.layer.draw();
  }

  cellAt({ x, y }) {
    const { cells } = this.seen;
    const view = this.layer.view();
    for (let i = 0; i < (cells?.names.length ?? 0); i++) {
      const [left, right, top, bottom] = boxOf(cells, view, i);
      if (x >= left && x < right && y >= top && y < bottom) return i;
    }
    return -1;
  }

  colours() {
    super.colours();
    this.seen.palette = readPalette(getComputedStyle(this.box));
  }
}

function boxOf(cells, { at }, i) {
  const corners = [0, 1, 2, 3].map((k) => at(cells, 4 * i + k));
  const [x, y] = [corners.map((corner) => corner[0]), corners.map((corner) => corner[1])];
  return [Math.min(...x), Math.max(...x), Math.min(...y), Math.max(...y)];
}

function drawCells(context, view, { cells, values, palette, colours, streets }) {
  cells.names.forEach((_, i) => {
    const [left, right, top, bottom] = boxOf(cells, view, i).map(Math.round);
    context.globalAlpha = streets ? 0.72 : 1;
    paint(context, { fill: palette[classOf(values[i])].fill }, left, top, right - left, bottom - top);
    context.globalAlpha = 1;
    paint(context, { stroke: colours.line }, left + 0.5, top + 0.5, right - left - 1, bottom - top - 1);
  });
}

// The thin ones first, so that those that bind lie above them.
function drawEdges(context, view, { cells, edges, binding, colours }) {
  const centre = (i) => {
    const [left, right, top, bottom] = boxOf(cells, view, i);
    return [(left + right) / 2, (top + bottom) / 2];
  };
  const looks = [
    { stroke: colours.quiet, width: 1.2, dash: [4, 4] },
    { stroke: colours.landmark, width: 2.5 },
  ];
  looks.forEach((look, binds) => {
    context.beginPath();
    for (let k = 0; k < binding.length; k++) {
      if (binding[k] !== binds) continue;
      context.moveTo(...centre(edges[2 * k]));
      context.lineTo(...centre(edges[2 * k + 1]));
    }
    paint(context, look);
  });
}

function drawNumbers(context, view, { cells, values, palette, edges, streets, size }) {
  cells.names.forEach((name, i) => {
    const [left, right, top, bottom] = boxOf(cells, view, i).map(Math.round);
    if (right - left < ROOM_FOR_NUMBERS) return;
    const { fill, text: fillStyle } = palette[classOf(values[i])];
    const look = { fillStyle, strokeStyle: streets || edges.length ? fill : null }; // over lines, or streets of any colour
    const text = percent(values[i]);
    context.font = FONT("", 12.5, size);
    if (context.measureText(text).width < right - left - 4) write(context, text, (left + right) / 2, bottom - 8, { ...look, textAlign: "center" });
    write(context, name, left + 5, top + 13 * size, { ...look, font: FONT("", 11, size), textAlign: "left" });
  });
}

function drawMarks(context, view, { cells, shown, cursor, colours }) {
  const at = (i) => {
    const [left, right, top, bottom] = boxOf(cells, view, i);
    const wide = right - left;
    const radius = Math.max(5, Math.min(13, wide / 5));
    return { x: (left + right) / 2, y: (top + bottom) / 2 - (wide >= ROOM_FOR_NUMBERS ? 3 : 0), radius, left, top, wide, tall: bottom - top };
  };
  if (cursor >= 0) {
    const { left, top, wide, tall } = at(cursor);
    paint(context, { stroke: colours.ink, width: 2.5 }, left + 1, top + 1, wide - 2, tall - 2);
  }
  const finish = (fill) => {
    paint(context, { stroke: colours.paper, width: 4 });
    paint(context, { fill, stroke: colours.ink, width: 1.5 });
  };
  // true place, report, best guess: told apart by shape as well as by colour
  const { selected, guess, meaning } = shown;
  if (selected >= 0 && meaning !== "prior") {
    const { x, y, radius } = at(selected);
    if (meaning === "reports") disc(context, x, y, radius);
    else box(context, x - radius, y - radius, 2 * radius, 2 * radius);
    finish(meaning === "reports" ? colours.regular : colours.release);
  }
  if (guess >= 0) {
    const { x, y, radius } = at(guess);
    diamond(context, x, y, radius * (guess === selected ? 0.75 : 1.15));
    finish(colours.landmark);
  }
}
