// The look of marks and lines as SVG: symbols, dashes, hatching, and text that may contain line breaks.

const NAMED = ["circle", "square", "diamond", "cross", "x", "triangle-up", "triangle-down"];
const STROKED = 0.36; // of the size: half the width of a cross' arm
const DASHES = { dot: [2, 3], dash: [7, 5], longdash: [11, 6], dashdot: [8, 3, 2, 3], longdashdot: [12, 4, 2, 4] };

// The numbers of a pattern of dashes, or none for a solid line.
export const dashOf = (dash) => DASHES[dash] ?? (/^\d/.test(dash ?? "") ? dash.split(/[ ,]+/).map((d) => Number.parseFloat(d)) : null);

export const escaped = (text) => String(text).replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c] ?? c);

// The lines of a text with <br>; other tags go.
export const linesOf = (text) =>
  String(text ?? "")
    .split(/<br\s*\/?>/i)
    .map((line) => line.replace(/<\/?[a-z][^>]*>/gi, ""));

// name: as in a description, by word or number, perhaps with "-open". The path of a mark around a point.
export function symbolPath(name, x, y, size) {
  const kind = String(typeof name === "number" ? (NAMED[name % 100] ?? "circle") : (name ?? "circle")).replace("-open", "");
  const r = size / 2;
  const corners = (...points) => `M${points.map(([a, b]) => `${fixed(x + a * r)},${fixed(y + b * r)}`).join("L")}Z`;
  if (kind === "square") return corners([-1, -1], [1, -1], [1, 1], [-1, 1]);
  if (kind === "diamond") return corners([0, -1.3], [1.3, 0], [0, 1.3], [-1.3, 0]);
  if (kind === "triangle-up") return corners([0, -1.15], [1.15, 0.7], [-1.15, 0.7]);
  if (kind === "triangle-down") return corners([0, 1.15], [1.15, -0.7], [-1.15, -0.7]);
  if (kind === "star") return corners(...Array.from({ length: 10 }, (_, k) => turned(k / 10, k % 2 ? 0.55 : 1.4)));
  if (kind === "x" || kind === "cross") return corners(...arms(kind === "x" ? 1 / 8 : 0));
  return `M${fixed(x - r)},${fixed(y)}a${fixed(r)},${fixed(r)} 0 1,0 ${fixed(2 * r)},0a${fixed(r)},${fixed(r)} 0 1,0 ${fixed(-2 * r)},0Z`;
}

const turned = (turn, far) => [far * Math.sin(2 * Math.PI * turn), -far * Math.cos(2 * Math.PI * turn)];

function arms(turn) {
  const [w, far] = [STROKED, 1.2];
  const one = [[-w, -far], [w, -far], [w, -w]]; // biome-ignore format: corners
  const [c, s] = [Math.cos(2 * Math.PI * turn), Math.sin(2 * Math.PI * turn)];
  const quarter = (k, [a, b]) =>
    [
      [a, b],
      [-b, a],
      [-a, -b],
      [b, -a],
    ][k];
  return [0, 1, 2, 3].flatMap((k) => one.map(([a, b]) => quarter(k, [a, b]))).map(([a, b]) => [a * c - b * s, a * s + b * c]);
}

export const isOpen = (name) => String(name).endsWith("-open") || (typeof name === "number" && name >= 100 && name < 200);

// A pattern of hatching; over: the colour below it, or none.
export function hatch(id, { shape, size = 8 }, colour, over) {
  const s = size;
  const line = (d) => `<path d="${d}" stroke="${colour}" stroke-width="${s / 5}" fill="none"/>`;
  const slant = `M0,${s}L${s},0M${-s / 4},${s / 4}L${s / 4},${-s / 4}M${s * 0.75},${s * 1.25}L${s * 1.25},${s * 0.75}`;
  const other = `M0,0L${s},${s}M${-s / 4},${s * 0.75}L${s / 4},${s * 1.25}M${s * 0.75},${-s / 4}L${s * 1.25},${s / 4}`;
  const drawn = { "/": line(slant), "\\": line(other), x: line(slant + other), "-": line(`M0,${s / 2}H${s}`), "|": line(`M${s / 2},0V${s}`) };
  const inside = drawn[shape] ?? `<circle cx="${s / 2}" cy="${s / 2}" r="${s / 5}" fill="${colour}"/>`;
  const ground = over ? `<rect width="${s}" height="${s}" fill="${over}"/>` : "";
  return `<pattern id="${id}" width="${s}" height="${s}" patternUnits="userSpaceOnUse">${ground}${inside}</pattern>`;
}

// Text, one line below the other; look: { size, colour, anchor, bold, turn, halo, vertical }, vertical "top", "middle" or "bottom"
export function textAt(text, x, y, { size, colour, anchor = "middle", bold = false, turn = 0, halo = "", vertical = "middle", label = "" }) {
  const lines = linesOf(text);
  const high = size * 1.2;
  const rest = (lines.length - 1) * high;
  const first = y + ({ top: 0.95 * size, bottom: -0.25 * size - rest }[vertical] ?? 0.36 * size - rest / 2);
  const spans = lines.map((line, k) => `<tspan x="${fixed(x)}" y="${fixed(first + k * high)}">${escaped(line)}</tspan>`).join("");
  const turned = turn ? ` transform="rotate(${turn} ${fixed(x)} ${fixed(y)})"` : "";
  const rim = halo ? ` stroke="${halo}" stroke-width="3" stroke-linejoin="round" paint-order="stroke"` : "";
  const named = label ? ` data-text="${label}"` : "";
  return `<text${named} text-anchor="${anchor}" font-size="${fixed(size)}" fill="${colour}"${bold ? ' font-weight="600"' : ""}${rim}${turned}>${spans}</text>`;
}

export const fixed = (v) => (Math.round(v * 100) / 100).toString();
