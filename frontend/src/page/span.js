// The part of the time axis that every view shows: its first and its last timestamp, counted from 0; null: all of it. It belongs
// to what is looked at, not to the choices, so no link and no file contains it.

const LEAST = 4; // timestamps that are shown at least when zooming

// Between two places on the axis; null where that is no more than one timestamp.
export function spanned(a, b, n) {
  const [first, last] = [Math.max(0, Math.round(Math.min(a, b))), Math.min(n - 1, Math.round(Math.max(a, b)))];
  return last > first ? whole(first, last, n) : null;
}

const whole = (first, last, n) => (first <= 0 && last >= n - 1 ? null : [first, last]);

// The ends of what is shown.
/** @returns {[number, number]} */
export const endsOfSpan = (span, n) => span ?? [0, n - 1];

// So many times as long, with a timestamp at the same place in it.
export function zoomed(span, at, factor, n) {
  const [first, last] = endsOfSpan(span, n);
  const middle = at >= first && at <= last ? at : (first + last) / 2;
  const length = Math.max(Math.min(LEAST - 1, n - 1), Math.min(n - 1, Math.round((last - first) * factor)));
  const from = Math.round(middle - ((middle - first) / Math.max(1, last - first)) * length);
  return begins(from, length, n);
}

// Moved until a timestamp is in it.
export function reaching(span, at, n) {
  if (!span || (at >= span[0] && at <= span[1])) return span;
  const length = span[1] - span[0];
  return begins(Math.round(at - length / 2), length, n);
}

function begins(from, length, n) {
  const first = Math.max(0, Math.min(n - 1 - length, from));
  return whole(first, first + length, n);
}

// The part of an array, or of points, that is shown.
export const within = (values, span) => (span && values ? values.subarray(span[0], span[1] + 1) : values);
export const pointsWithin = (points, span) => (span && points ? { x: within(points.x, span), y: within(points.y, span) } : points);
