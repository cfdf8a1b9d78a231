// The map of cells: probabilities as colours and numbers, the chosen cell, the best guess. A click, a tap or a key picks a
// cell; in paint mode a drag paints. It draws what the kernel sent and computes nothing but where the pointer is.

import { TrackLayer } from "./canvas_layer.js";
import { boxOf, drawCells, drawEdges, drawMarks, drawNumbers } from "./cells.js";
import { MapFrame } from "./map_frame.js";
import { project } from "./mercator.js";
import { drawGraticule } from "./track_canvas.js";

// no cell under the buttons above, none on the degrees on the left and below
const ROOM = { paddingTopLeft: [54, 44], paddingBottomRight: [26, 26] };
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

const CellLayer = TrackLayer.extend({
  draw() {
    const context = this.emptied(this.base);
    drawGraticule(context, this.view(), this.seen);
    if (this.seen.cells) for (const draw of [drawCells, drawEdges, drawNumbers]) draw(context, this.view(), this.seen);
    this.drawHover();
  },

  drawHover() {
    const context = this.emptied(this.top);
    if (this.seen.cells) drawMarks(context, this.view(), this.seen);
  },
});

export class CellMap extends MapFrame {
  // act: { pick(cell), paint(cells), hover(cell), marks }; marks: the key of a picture, where it is another one
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
    this.marks = act.marks ?? "● true place, ■ report, ◆ best guess";
    this.map.on("click", (event) => {
      const cell = this.cellAt(event.containerPoint);
      if (this.coarse) this.look(cell); // a finger cannot point at it first
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
    this.coarse = event.pointerType !== "mouse";
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

  // The next cell in a direction: the nearest one that is more that way than sideways.
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
}
