// The position of a value on a slider, and the value at a position: on a log scale or a plain one, forwards or backwards, or at stops.

// slider: as Python declares it, { low, high, log, backwards, step }, and in a file without a kernel { stops }
/** @param {{ low: number, high: number, log: boolean, backwards: boolean, step?: number | null, stops?: number[] }} slider @param {boolean} [whole] */
export function scaleOf({ low, high, log, backwards, step, stops }, whole) {
  const sign = backwards ? -1 : 1;
  if (stops) return stopped(stops, sign, log);
  const to = (v) => sign * (log ? Math.log10(Math.max(low, v)) : v);
  const from = (p) => (log ? 10 ** (sign * p) : sign * p);
  const [first, last] = backwards ? [high, low] : [low, high];
  return { to, from, first: to(first), last: to(last), step: step ?? (whole && !log ? 1 : 0.01) };
}

function stopped(stops, sign, log) {
  const far = (a, b) => Math.abs(log ? Math.log(a / b) : a - b);
  const at = (v) => stops.reduce((best, stop, k) => (far(stop, v) < far(stops[best], v) ? k : best), 0);
  const ends = [0, sign * (stops.length - 1)];
  return { to: (v) => sign * at(v), from: (p) => stops[Math.abs(p)], first: Math.min(...ends), last: Math.max(...ends), step: 1 };
}
