// The names of a figure's lines: next to their right ends if there is room, else in a legend above the panels.
import { dashOf, fixed, linesOf, textAt } from "./symbols.js";
import { axisName, hasLine, hasMarks, isBar, markOf, sizeOfMark } from "./traces.js";

const SAMPLE = 24; // pixels of a piece of line
const APART = 14; // pixels between two names in a legend
const LEAD = 14; // pixels from the end of a line to its name
const WIDE = 560; // pixels: a narrower figure keeps its width for what it shows
const MEET = 2; // pixels: lines whose ends are nearer cannot be distinguished there
const FAR = 4; // letters that a name may lie above or below its line
const MOST = 0.34; // of the width that names beside the lines may take

const textOf = (trace) => linesOf(trace.name).join(" ");

// Those that a legend names: a single one has its axis' title.
function named({ traces, layout }) {
  const found = traces.filter((trace) => trace.name && trace.showlegend !== false);
  return layout.showlegend === false || (found.length < 2 && layout.showlegend !== true) ? [] : found;
}

// { high, wide, draw() }: rows above the panels
export function legendOf(drawing) {
  const {
    width,
    measure,
    letters,
    look: { colour },
  } = drawing;
  const [size, row] = [letters - 0.5, letters * 1.45];
  let [left, rows] = [0, 0];
  const places = named(drawing).map((trace) => {
    const texts = brokenIn(textOf(trace), width - 20 - SAMPLE - 6, (text) => measure(text, size));
    const wide = SAMPLE + 6 + Math.max(...texts.map((text) => measure(text, size))) + APART;
    if (left && left + wide > width - 20) [left, rows] = [0, rows + 1];
    const place = { trace, left, rows, texts, wide };
    left += wide;
    rows += texts.length - 1;
    return place;
  });
  const high = places.length ? (rows + 1) * row + 4 : 0;
  const draw = () => {
    const begin = Math.min(drawing.margin.l, Math.max(8, width - 12 - Math.max(0, ...places.map((p) => p.left + p.wide - APART))));
    const fits = begin > 8 ? begin : 8;
    const parts = places.map(({ trace, left: x, rows: k, texts }) => {
      const look = { size, colour: colour("ink"), anchor: "start", label: "name" };
      const high = (line) => drawing.head + 6 + (k + line + 0.5) * row;
      const words = texts.map((text, line) => textAt(text, fits + x + SAMPLE + 6, high(line), look));
      return sample(trace, fits + x, high(0), drawing) + words.join("");
    });
    return `<g class="lmdk-legendrow">${parts.join("")}</g>`;
  };
  return { high, wide: 0, draw };
}

// A name in as many lines as it needs.
function brokenIn(text, most, measured) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (lines.at(-1) && measured(longer) > most) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

// A short piece of a line, a mark or a bar, as it looks in the figure.
function sample(trace, x, y, { prefix }) {
  if (isBar(trace)) {
    const { marker = {} } = trace;
    const fill = marker.pattern?.shape ? `url(#${prefix}h${trace.k})` : (Array.isArray(marker.color) ? marker.color[0] : trace.colour); // biome-ignore format: short
    const edge = marker.line?.color && !Array.isArray(marker.line.width) ? ` stroke="${marker.line.color}" stroke-width="${marker.line.width ?? 1}"` : "";
    return `<rect x="${fixed(x + 4)}" y="${fixed(y - 5)}" width="16" height="10" fill="${fill}"${edge}/>`;
  }
  const dash = dashOf(trace.line?.dash)?.join(" ") ?? "none";
  const width = Math.min(trace.line?.width ?? 2, 4);
  const share = trace.opacity === undefined ? "" : ` opacity="${trace.opacity}"`;
  const band = trace.fill && trace.fillcolor ? `<rect x="${fixed(x)}" y="${fixed(y - 5)}" width="${SAMPLE}" height="10" fill="${trace.fillcolor}"/>` : "";
  const line = hasLine(trace)
    ? `<path d="M${fixed(x)},${fixed(y)}h${SAMPLE}" stroke="${trace.colour}" stroke-width="${width}" stroke-dasharray="${dash}"${share}/>`
    : "";
  const mark = hasMarks(trace) ? markOf(trace, 0, x + SAMPLE / 2, y, Math.min(12, Math.max(6, sizeOfMark(trace, 0)))) : "";
  return band + line + mark;
}

// Names at the right ends of the lines, spread so that none lies on another; null where that does not fit.
export function namesBeside(drawing) {
  const { measure, letters, look, width, axes, layout } = drawing;
  const shown = named(drawing);
  const panel = axes.yaxis;
  if (width < WIDE * look.size || !shown.length || Object.keys(axes).length > 2 || !panel || layout.legend?.beside === false) return null;
  if (!shown.every((trace) => hasLine(trace) || (hasMarks(trace) && trace.x.length === 1))) return null;
  if (!shown.some(hasLine)) return null;
  const size = letters - 1;
  const gap = size * 1.25;
  if (shown.length * gap > panel.length) return null;
  const wide = LEAD + SAMPLE + 6 + Math.max(...shown.map((trace) => measure(textOf(trace), size))) + 8;
  if (wide > MOST * width) return null;
  const found = shown.map((trace) => endOf(trace, axes));
  if (found.filter(({ far }, k) => far && shown[k].x.length > 1).length > 1) return null;
  const marks = shown.filter((trace) => trace.x.length === 1).length;
  const ends = found.filter((_, k) => shown[k].x.length > 1).map(({ y }) => y);
  if (marks > ends.length || ends.some((y, k) => ends.some((other, j) => j < k && Math.abs(other - y) < MEET))) return null;
  const heights = found.map(({ y }) => y).sort((a, b) => a - b);
  const moved = spread(heights, gap, panel.offset + gap / 2, panel.offset + panel.length - gap / 2);
  if (moved.some((v, k) => Math.abs(v - heights[k]) > FAR * size)) return null;
  const draw = () => {
    const ends = shown.map((trace) => ({ trace, ...endOf(trace, axes) })).sort((a, b) => a.y - b.y);
    const lows = spread(ends.map(({ y }) => y), gap, panel.offset + gap / 2, panel.offset + panel.length - gap / 2); // biome-ignore format: short
    const right = axes.xaxis.offset + axes.xaxis.length;
    const parts = ends.map(({ trace, x, y, far }, k) => {
      const lead = far
        ? ""
        : `<path d="M${fixed(Math.max(x, right) + 1)},${fixed(y)}L${fixed(right + LEAD - 2)},${fixed(lows[k])}" stroke="${look.colour("quiet")}" fill="none" stroke-width="0.8"/>`;
      const text = textAt(textOf(trace), right + LEAD + SAMPLE + 6, lows[k], { size, colour: look.colour("ink"), anchor: "start", label: "name" });
      return lead + sample(trace, right + LEAD, lows[k], drawing) + text;
    });
    return `<g class="lmdk-legendrow lmdk-beside">${parts.join("")}</g>`;
  };
  return { high: 0, wide, draw };
}

// Where a line ends, in its panel; far: too far from the right edge to be led from there.
function endOf(trace, axes) {
  const [x, y] = [axes[axisName(trace, "x")], axes[axisName(trace, "y")]];
  const clipped = (v) => Math.max(y.offset, Math.min(y.offset + y.length, v));
  const points = Array.from(trace.x, (v, i) => [x.at(v), y.at(trace.y[i])]).filter(([a, b]) => Number.isFinite(a) && Number.isFinite(b));
  const last = points.filter(([a]) => a <= x.offset + x.length + 1).at(-1) ?? points[0] ?? [x.offset, y.offset];
  return { x: last[0], y: clipped(last[1]), far: last[0] < x.offset + x.length - 0.06 * x.length };
}

// Heights at least this far apart, each as near as possible to where it was, between two ends.
export function spread(heights, gap, top, bottom) {
  const found = heights.map((v) => Math.max(top, Math.min(bottom, v)));
  for (let k = 1; k < found.length; k++) found[k] = Math.max(found[k], found[k - 1] + gap);
  let limit = bottom;
  for (let k = found.length - 1; k >= 0; k--) {
    found[k] = Math.min(found[k], limit);
    limit = found[k] - gap;
  }
  return found;
}
