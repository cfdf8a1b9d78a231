// Axes: what a value is on them, the range that shows all of it, its position in pixels, and ticks at round numbers.

const ROOM = 0.055; // beyond the smallest and the largest value, as a share of what lies between
const STEPS = [1, 2, 5, 10];
const SOME = 0.85; // a few ticks more are better than half as many
// Ticks of a log axis, from many to few: the digits, and every how many decades.
const DIGITS = /** @type {[number[], number][]} */ ([
  [[1, 1.5, 2, 3, 4, 5, 7], 1],
  [[1, 2, 5], 1],
  [[1, 3], 1],
  ...Array.from({ length: 17 }, (_, k) => [[1], k + 1]),
]);
const SUPERSCRIPT = "⁰¹²³⁴⁵⁶⁷⁸⁹";

// An axis from its description and all values on it: each word gets a place, dates and numbers keep theirs.
/** @param {any} described @param {any[]} values */
export function axisOf(described, values) {
  const log = described.type === "log";
  const known = values.filter((v) => v !== null && v !== undefined);
  const worded = described.type === "category" || known.some((v) => typeof v === "string");
  const dated = worded && described.type !== "category" && known.every((v) => typeof v === "string" && /^\d{4}-\d\d/.test(v));
  const names = worded && !dated ? [...new Set([...(described.categoryarray ?? []), ...known].map(String))] : null;
  const place = new Map(names?.map((name, k) => [name, k]));
  const read = names ? (v) => place.get(String(v)) ?? NaN : dated ? Date.parse : Number;
  const plain = (v) => (v === null || v === undefined ? NaN : read(v));
  const number = log ? (v) => (v > 0 ? Math.log10(v) : NaN) : plain;
  return { described, log, dated, names, number, reversed: described.autorange === "reversed", range: [0, 1], offset: 0, length: 1 };
}

// The range, in the axis' own numbers (logarithms on a log axis): as described, or everything shown with a little room.
// padded: pixels that marks need at both ends; tight: lines begin and end at the edge
export function rangeOf(axis, [low, high], { tight = false, padded = 0 } = {}) {
  const { described, log, names } = axis;
  if (described.range) return [...described.range].map((v) => (typeof v === "string" ? axis.number(v) : v));
  if (names) return [-0.5, names.length - 0.5];
  if (!(low <= high)) return log ? [-1, 1] : [0, 1];
  const zero = described.rangemode === "tozero" && !log;
  const [a, b] = zero ? [Math.min(0, low), Math.max(0, high)] : [low, high];
  const span = b - a || (log ? 1 : Math.abs(a) || 1);
  const room = Math.max(tight ? 0 : ROOM, padded / Math.max(axis.length - 2 * padded, 1)) * span;
  const from = b === a && !zero ? a - span / 2 : a - (zero && a === 0 ? 0 : room);
  return [from, b === a && !zero ? b + span / 2 : b + (zero && b === 0 && a < 0 ? 0 : room)];
}

// Gives an axis its place: pixels from the left, or from the top for one that goes up.
export function placed(axis, range, offset, length, up) {
  Object.assign(axis, { range, offset, length });
  const [from, to] = range;
  const down = up !== axis.reversed;
  const share = (n) => (n - from) / (to - from || 1);
  axis.pixel = (n) => offset + (down ? 1 - share(n) : share(n)) * length;
  axis.at = (v) => axis.pixel(axis.number(v));
  axis.back = (pixel) => from + (down ? 1 - (pixel - offset) / length : (pixel - offset) / length) * (to - from);
  return axis;
}

// [{ at, text }, ...], at in the axis' own numbers: those described, those of its words, or at most this many round ones.
export function ticksOf(axis, most) {
  const { described, log, names, range } = axis;
  const [low, high] = [Math.min(...range), Math.max(...range)];
  const inside = ({ at }) => at >= low - 1e-9 * (high - low) && at <= high + 1e-9 * (high - low);
  if (described.tickvals) {
    const text = (v, k) => String(described.ticktext?.[k] ?? amountOf(v));
    return described.tickvals.map((v, k) => ({ at: axis.number(v), text: text(v, k) })).filter(inside);
  }
  if (names) return names.map((text, at) => ({ at, text })).filter(inside);
  if (axis.dated) return dates(low, high, most);
  if (log) return logTicks(low, high, most).map((v) => ({ at: Math.log10(v), text: amountOf(v) }));
  const dtick = typeof described.dtick === "number" && (high - low) / described.dtick <= most ? described.dtick : stepOf(high - low, most);
  return round(low, high, dtick, described.tick0 ?? 0);
}

// The round step that cuts a span into at most this many pieces.
export function stepOf(span, most) {
  const rough = span / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * (STEPS.find((s) => s * power >= rough * SOME) ?? 10);
}

function round(low, high, step, first) {
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const begin = Math.ceil((low - first) / step - 1e-9);
  const count = Math.floor((high - first) / step + 1e-9) - begin + 1;
  return Array.from({ length: Math.max(0, Math.min(count, 200)) }, (_, k) => {
    const at = Number((first + (begin + k) * step).toPrecision(12));
    return { at, text: amountOf(at, Math.max(digits, decimals(first))) };
  });
}

const decimals = (v) => (Number.isInteger(v) ? 0 : Math.min(6, String(v).split(".")[1]?.length ?? 0));

// Round numbers between two powers of ten given by their logarithms, at most this many and, if possible, at least two.
export function logTicks(low, high, most) {
  let found = [];
  let more = []; // of those that are too many
  for (const [digits, decades] of DIGITS) {
    const values = [];
    for (let power = Math.floor(low); power <= high; power++) if (power % decades === 0) values.push(...digits.map((digit) => Number(`${digit}e${power}`)));
    found = values.filter((v) => Math.log10(v) >= low - 1e-9 && Math.log10(v) <= high + 1e-9);
    if (found.length <= most) break;
    more = found;
  }
  if (found.length > 1) return found;
  if (more.length > 1) return [more[0], more.at(-1)];
  const near = round(10 ** low, 10 ** high, stepOf(10 ** high - 10 ** low, Math.min(most, 4)), 0).map(({ at }) => at);
  return near.filter((v) => v > 0).length > 1 ? near.filter((v) => v > 0) : found;
}

// A number of an axis: with commas, or as a power of ten if it is very large or small.
export function amountOf(v, digits = undefined) {
  if (typeof v !== "number") return String(v);
  const size = Math.abs(v);
  if (v !== 0 && (size >= 1e6 || size < 1e-4)) {
    const [digit, power] = v.toExponential(3).split("e");
    const factor = Number(digit);
    const raised = String(Number(power))
      .replace("-", "⁻")
      .replace(/\d/g, (d) => SUPERSCRIPT[Number(d)]);
    return `${factor === 1 ? "" : factor === -1 ? "−" : `${factor}·`}10${raised}`.replace("-", "−");
  }
  const text = digits === undefined ? String(Number(v.toPrecision(6))) : v.toFixed(digits);
  const [whole, part] = text.split(".");
  const said = whole.length > 4 + Number(v < 0) ? whole.replace(/\B(?=(\d{3})+$)/g, ",") : whole;
  return (part ? `${said}.${part}` : said).replace("-", "−");
}

const SPANS = [60e3, 300e3, 900e3, 3600e3, 3 * 3600e3, 6 * 3600e3, 12 * 3600e3, 864e5, 2 * 864e5, 7 * 864e5, 30 * 864e5, 91 * 864e5, 365.25 * 864e5];

function dates(low, high, most) {
  const step = SPANS.find((span) => (high - low) / span <= most) ?? Math.ceil((high - low) / SPANS[12] / most) * SPANS[12];
  return round(low, high, step, 0).map(({ at }) => {
    const said = new Date(at).toISOString();
    return { at, text: step < 864e5 ? `${said.slice(11, 16)}<br>${said.slice(0, 10)}` : said.slice(0, step < 30 * 864e5 ? 10 : 7) };
  });
}
