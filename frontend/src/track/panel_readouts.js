// The values of a timestamp beside the time mark, in every panel at once: a piece of each line and its value there.
import { h, setText, svg } from "../page/dom.js";
import { amount } from "../page/format.js";
import { dashOf } from "../page/symbols.js";
import { axesOf, axisName } from "./dense.js";

const AWAY = 8; // pixels from the time mark
const TOP = 3; // pixels below the top of a panel

export class Readouts {
  // writes: how values are written, by the name of their axis
  constructor(writes) {
    this.writes = writes;
    this.element = h("div", { class: "lmdk-panelreadouts", "aria-hidden": "true", hidden: true });
  }

  // at: a timestamp, -1 for none; x: of the time mark, pixels; figure, arrays, drawing: what is drawn
  show(at, x, { figure, arrays, drawing }) {
    this.element.hidden = at < 0;
    if (at < 0) return;
    const names = axesOf(figure.layout);
    const lines = names.map((name) => figure.data.filter((trace) => trace.y?.$ && axisName(trace) === name));
    this.build(lines);
    const right = x > drawing.width / 2;
    names.forEach((name, k) => {
      const panel = this.element.children[k];
      const write = this.writes[name] ?? amount;
      lines[k].forEach((trace, j) => setText(panel.children[j].lastChild, write(values(trace, arrays)[at])));
      Object.assign(panel.style, {
        top: `${drawing.axes[name].offset + TOP}px`,
        left: right ? "auto" : `${x + AWAY}px`,
        right: right ? `${drawing.width - x + AWAY}px` : "auto",
      });
    });
  }

  // Made again only if other lines are drawn.
  build(lines) {
    const key = JSON.stringify(lines.map((traces) => traces.map(({ name, line, marker }) => [name, line?.dash, line?.color, marker?.color])));
    if (key === this.key) return;
    this.key = key;
    const entry = (trace) => h("span", {}, sample(trace), h("b", {}));
    this.element.replaceChildren(...lines.map((traces) => h("div", { class: "lmdk-panelreadout" }, ...traces.map(entry))));
  }
}

// A short piece of the line, or of the bar, that a name in the legend stands for.
export function sample({ type, line, marker }) {
  const own = typeof marker?.color === "string" ? marker.color : "var(--lmdk-regular)";
  const look = { stroke: line?.color ?? own, "stroke-dasharray": dashOf(line?.dash)?.join(" ") ?? "none", "stroke-width": type === "bar" ? 8 : 2.5 };
  return svg("svg", { width: 24, height: 10 }, svg("line", { x2: 24, y1: 5, y2: 5, ...look }));
}

// The values of a trace, one for each timestamp, or at its own places.
export const values = (trace, arrays) => (trace.y?.$ ? (arrays[trace.y.$] ?? new Float32Array(0)) : trace.y.map((v) => v ?? NaN));
