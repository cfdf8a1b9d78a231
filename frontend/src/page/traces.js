// The traces of a figure: bars with their places, the extent of all that an axis shows, and everything as SVG.
import { TRACES } from "./palette.js";
import { dashOf, fixed, hatch, isOpen, symbolPath, textAt } from "./symbols.js";

const FEW = 20; // points: up to this many have a mark each unless a trace says otherwise
const MELT = 3; // pixels from one bar to the next: nearer ones would melt into a block
const CAP = 4; // pixels: half the width of a whisker's end

export const axisName = (trace, letter) => `${letter}axis${(trace[`${letter}axis`] ?? letter).slice(1)}`;
export const isBar = (trace) => trace.type === "bar";
const flat = (trace) => isBar(trace) && trace.orientation === "h";

// A trace with everything that a description may leave out.
export function completed(trace, k) {
  const length = (trace.y ?? trace.x ?? []).length;
  const count = Array.from({ length }, (_, i) => i);
  const colour = trace.line?.color ?? (typeof trace.marker?.color === "string" ? trace.marker.color : null) ?? TRACES[k % TRACES.length];
  const mode = trace.mode ?? (length <= FEW ? "lines+markers" : "lines");
  return { ...trace, type: trace.type ?? "scatter", x: trace.x ?? count, y: trace.y ?? count, mode, colour, k };
}

export const hasLine = (trace) => !isBar(trace) && trace.mode.includes("lines") && (trace.line?.width ?? 2) > 0;
export const hasMarks = (trace) => !isBar(trace) && trace.mode.includes("markers");

// Where each bar begins and ends on both axes, in their own numbers: trace.bars = [{ from, to, base, top }, ...]
export function placeBars(traces, axes, layout) {
  const together = grouped(traces.filter(isBar), (trace) => `${axisName(trace, "x")} ${axisName(trace, "y")}`);
  for (const group of together.values()) {
    const [along, up] = flat(group[0]) ? ["y", "x"] : ["x", "y"];
    const [axis, values] = [axes[axisName(group[0], along)], axes[axisName(group[0], up)]];
    const numbers = group.map((trace) => Array.from(trace[along], axis.number));
    const wide = nearest(numbers.flat()) * (1 - (layout.bargap ?? 0.2));
    const offsets = [...new Set(group.map((trace) => trace.offsetgroup ?? trace.k))];
    const mode = layout.barmode ?? "group";
    const parts = mode === "group" ? offsets.length : 1;
    const sums = new Map();
    group.forEach((trace, g) => {
      const width = trace.width ?? wide / parts;
      const shift = mode === "group" && !trace.width ? (offsets.indexOf(trace.offsetgroup ?? trace.k) - (parts - 1) / 2) * width : 0;
      trace.bars = numbers[g].map((at, i) => {
        const value = values.number(trace[up][i]);
        const base = mode === "stack" ? (sums.get(at) ?? 0) : values.log ? -9 : 0;
        sums.set(at, base + (Number.isFinite(value) ? value : 0));
        return { from: at + shift - width / 2, to: at + shift + width / 2, base, top: base + (values.log ? value + 9 : value) };
      });
    });
  }
}

// A list by a key of each of its members, in the order in which they come.
export function grouped(list, keyOf) {
  const found = new Map();
  for (const one of list) {
    const key = keyOf(one);
    found.has(key) ? found.get(key).push(one) : found.set(key, [one]);
  }
  return found;
}

function nearest(numbers) {
  const sorted = [...new Set(numbers.filter(Number.isFinite))].sort((a, b) => a - b);
  return sorted.length < 2 ? 1 : sorted.slice(1).reduce((least, v, k) => Math.min(least, v - sorted[k]), Infinity);
}

// The smallest and the largest number that a trace shows on one of its axes.
export function extentOf(trace, axis, letter) {
  const found = [Infinity, -Infinity];
  const take = (v) => Number.isFinite(v) && ((found[0] = Math.min(found[0], v)), (found[1] = Math.max(found[1], v)));
  if (trace.bars) {
    const along = flat(trace) === (letter === "y");
    for (const { from, to, base, top } of trace.bars) for (const v of along ? [from, to] : [axis.log ? top : base, top]) take(v);
  } else for (const v of trace[letter]) take(axis.number(v));
  const error = letter === "y" ? trace.error_y : null;
  if (error) trace.y.forEach((v, i) => endsOf(error, v, i).forEach((end) => take(axis.number(end))));
  if (letter === "y" && /tozeroy/.test(trace.fill ?? "") && !axis.log) take(0);
  return found;
}

const endsOf = ({ array, arrayminus }, v, i) => [v - (arrayminus ?? array)[i], v + array[i]];

// How a trace is drawn: { under, over, defs, points }, over: what may extend beyond the panel; points: for the pointer.
export function drawTrace(trace, x, y, { prefix, paper, before, ink, size }) {
  const drawn = { under: "", over: "", defs: "", points: [] };
  if (trace.bars) drawBars(trace, x, y, drawn, { prefix, paper, ink, size });
  else drawLine(trace, x, y, drawn, before);
  if (trace.error_y && trace.error_y.visible !== false) drawn.under += whiskers(trace, x, y);
  if (hasMarks(trace)) drawMarks(trace, x, y, drawn);
  if (trace.mode.includes("text")) drawn.over += words(trace, drawn.points, ink, size);
  return drawn;
}

function drawBars(trace, x, y, drawn, { prefix, paper, ink, size }) {
  const { marker = {}, bars } = trace;
  const across = flat(trace);
  const [along, up] = across ? [y, x] : [x, y];
  const pitch = bars.length > 1 ? Math.abs(along.pixel(bars[1].from) - along.pixel(bars[0].from)) : Infinity;
  let pattern = "";
  if (marker.pattern?.shape) {
    pattern = `${prefix}h${trace.k}`;
    const over = marker.pattern.fillmode === "overlay";
    drawn.defs += hatch(pattern, marker.pattern, marker.pattern.fgcolor ?? (over ? paper : trace.colour), over ? trace.colour : "");
  }
  const melts = pitch < MELT && !Array.isArray(trace.width) && !trace.width;
  if (melts) drawn.under += skyline(bars, along, up, trace.colour);
  bars.forEach(({ from, to, base, top }, i) => {
    if (!Number.isFinite(top)) return;
    const [a, b] = [along.pixel(from), along.pixel(to)].sort((p, q) => p - q);
    const [c, d] = [up.pixel(base), up.pixel(top)].sort((p, q) => p - q);
    const box = across ? [c, a, d - c, b - a] : [a, c, b - a, d - c];
    const tip = across ? [up.pixel(top), (a + b) / 2] : [(a + b) / 2, up.pixel(top)];
    drawn.points.push({ trace: trace.k, index: i, x: tip[0], y: tip[1], box });
    if (melts) return;
    const colour = pattern ? `url(#${pattern})` : Array.isArray(marker.color) ? marker.color[i] : trace.colour;
    const wide = Array.isArray(marker.line?.width) ? marker.line.width[i] : (marker.line?.width ?? 0);
    const edge = wide && marker.line.color ? ` stroke="${marker.line.color}" stroke-width="${wide}"` : "";
    const [left, high, w, t] = box;
    drawn.under += `<rect data-point="${i}" x="${fixed(left)}" y="${fixed(high)}" width="${fixed(Math.max(w, 1))}" height="${fixed(t)}" fill="${colour}"${edge}/>`;
    if (trace.text?.[i] !== undefined && trace.textposition === "outside")
      drawn.over += textAt(trace.text[i], tip[0], tip[1] - 3, { size, colour: ink, vertical: "bottom" });
  });
}

// Bars nearer to each other than a few pixels: their outline over a light filling.
function skyline(bars, along, up, colour) {
  const columns = new Map();
  for (const { from, to, top } of bars) {
    const at = Math.round(along.pixel((from + to) / 2));
    const [low, high] = columns.get(at) ?? [Infinity, -Infinity];
    columns.set(at, [Math.min(low, top), Math.max(high, top)]);
  }
  const steps = [...columns].filter(([, [low]]) => Number.isFinite(low)).sort(([a], [b]) => a - b);
  const line = steps
    .map(([at, [low, high]]) => `H${at}V${fixed(up.pixel(low))}V${fixed(up.pixel(high))}`)
    .join("")
    .replace("H", "M")
    .replace("V", ",");
  const base = fixed(up.pixel(0));
  return `<path d="${line}V${base}H${steps[0]?.[0] ?? 0}Z" fill="${colour}" fill-opacity="0.25"/><path d="${line}" fill="none" stroke="${colour}" stroke-width="1.2"/>`;
}

function drawLine(trace, x, y, drawn, before) {
  const points = Array.from(trace.x, (v, i) => [x.at(v), y.at(trace.y[i]), i]);
  const seen = (point) => Number.isFinite(point[0]) && Number.isFinite(point[1]);
  for (const [a, b, i] of points) if (seen([a, b, i])) drawn.points.push({ trace: trace.k, index: i, x: a, y: b });
  const runs = [[]];
  for (const point of points) seen(point) ? runs.at(-1).push(point) : runs.at(-1).length && runs.push([]);
  const lines = runs.filter((run) => run.length).map((run) => stepped(thinned(run, x.length), trace.line?.shape));
  trace.drawnLine = lines;
  if (trace.fill) drawn.under += filled(trace, lines, y, before);
  if (!hasLine(trace)) return;
  const dash = dashOf(trace.line?.dash);
  const pattern = dash ? ` stroke-dasharray="${dash.join(" ")}"` : "";
  const d = lines.map((run) => `M${run.map(([a, b]) => `${fixed(a)},${fixed(b)}`).join("L")}`).join("");
  drawn.under += `<path class="lmdk-line" d="${d}" fill="none" stroke="${trace.colour}" stroke-width="${trace.line?.width ?? 2}" stroke-linejoin="round"${pattern}${opacity(trace)}/>`;
}

const opacity = (trace) => (trace.opacity === undefined ? "" : ` opacity="${trace.opacity}"`);

// If a column of pixels has more than two points: the first, the lowest, the highest and the last.
function thinned(run, length) {
  if (run.length <= 2 * length) return run;
  const columns = grouped(run, ([a]) => Math.round(a));
  return [...columns.values()].flatMap((some) => {
    if (some.length < 4) return some;
    const by = [...some].sort(([, a], [, b]) => a - b);
    const kept = new Set([some[0], by[0], by.at(-1), some.at(-1)]);
    return some.filter((point) => kept.has(point));
  });
}

function stepped(run, shape) {
  if (shape !== "hv" && shape !== "hvh") return run;
  return run.flatMap(([a, b], k) => {
    const next = run[k + 1];
    if (!next) return [[a, b]];
    const turn = shape === "hv" ? next[0] : (a + next[0]) / 2;
    return [[a, b], [turn, b], [turn, next[1]]]; // biome-ignore format: corners
  });
}

function filled(trace, lines, y, before) {
  const zero = y.pixel(y.log ? Math.min(...y.range) : 0);
  const join = (run) => run.map(([a, b]) => `${fixed(a)},${fixed(b)}`).join("L");
  const under = trace.fill === "tonexty" && before?.drawnLine;
  const d = lines
    .map((run, k) => {
      const other = under ? [...(before.drawnLine[k] ?? [])].reverse() : [[run.at(-1)[0], zero], [run[0][0], zero]]; // biome-ignore format: corners
      return other.length ? `M${join(run)}L${join(other)}Z` : "";
    })
    .join("");
  const look = trace.fillcolor ? `fill="${trace.fillcolor}"` : `fill="${trace.colour}" fill-opacity="0.35"`;
  return `<path d="${d}" ${look} stroke="none"/>`;
}

function whiskers(trace, x, y) {
  const { color = trace.colour, thickness = 1.5 } = trace.error_y;
  const middle = (i) => (trace.bars ? (x.pixel(trace.bars[i].from) + x.pixel(trace.bars[i].to)) / 2 : x.at(trace.x[i]));
  const d = trace.y.map((v, i) => {
    const [a, b] = endsOf(trace.error_y, v, i).map((end) => y.at(end));
    if (v === null || !Number.isFinite(b) || a === b) return "";
    const [at, low] = [middle(i), Number.isFinite(a) ? a : y.offset + y.length];
    const cap = (end) => `M${fixed(at - CAP)},${fixed(end)}h${2 * CAP}`;
    return `M${fixed(at)},${fixed(low)}V${fixed(b)}${cap(b)}${Number.isFinite(a) ? cap(a) : ""}`;
  });
  return `<path d="${d.join("")}" fill="none" stroke="${color}" stroke-width="${thickness}"/>`;
}

export function sizeOfMark({ marker = /** @type {any} */ ({}) }, i) {
  const size = Array.isArray(marker.size) ? marker.size[i] : (marker.size ?? 6);
  const scaled = size / (marker.sizeref ?? 1);
  return Array.isArray(marker.size) && marker.sizemode === "area" ? Math.sqrt(scaled) : scaled;
}

export function markOf(trace, i, x, y, size) {
  const { marker = {} } = trace;
  const colour = Array.isArray(marker.color) ? marker.color[i] : (marker.color ?? trace.colour);
  const open = isOpen(marker.symbol);
  const wide = open ? (marker.line?.width ?? 1.5) : (marker.line?.width ?? 0);
  const edge = wide ? ` stroke="${open ? colour : (marker.line?.color ?? colour)}" stroke-width="${wide}"` : "";
  const share = marker.opacity === undefined ? opacity(trace) : ` opacity="${marker.opacity}"`;
  return `<path data-point="${i}" d="${symbolPath(marker.symbol, x, y, size)}" fill="${open ? "none" : colour}"${edge}${share}/>`;
}

function drawMarks(trace, x, y, drawn) {
  const inside = ({ x: a, y: b }) => a >= x.offset - 1 && a <= x.offset + x.length + 1 && b >= y.offset - 1 && b <= y.offset + y.length + 1;
  const marks = drawn.points.filter(inside).map((p) => markOf(trace, p.index, p.x, p.y, sizeOfMark(trace, p.index)));
  for (const point of drawn.points) point.r = sizeOfMark(trace, point.index) / 2;
  drawn.over += marks.join("");
}

function words(trace, points, colour, size) {
  const [vertical, side] = (trace.textposition ?? "middle center").split(" ");
  const anchor = { right: "start", left: "end" }[side] ?? "middle";
  const shift = { right: 8, left: -8 }[side] ?? 0;
  const [up, lies] = { top: [-8, "bottom"], bottom: [8, "top"] }[vertical] ?? [0, "middle"];
  const text = ({ index }) => (Array.isArray(trace.text) ? trace.text[index] : trace.text);
  return points.map((p) => (text(p) ? textAt(text(p), p.x + shift, p.y + up, { size, colour, anchor, vertical: lies }) : "")).join("");
}
