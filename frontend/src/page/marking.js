// How timestamps are marked on the map of a track and on the chart of a series: the same keys, the same box, the same taps.

const BY_KEY = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 10, ArrowUp: -10, Home: -Infinity, End: Infinity };

// The timestamp between two others to which a key moves from one; nothing if the key does not move.
export function reached(key, now, [first, last]) {
  return key in BY_KEY ? Math.max(first, Math.min(last, now + BY_KEY[key])) : undefined;
}

// Marks the timestamps that lie in a box between two corners; seen: the first and the last that may; at(index): where one lies.
export function markBox(act, a, b, seen, at, landmarks) {
  const [x0, x1] = [Math.min(a.x, b.x), Math.max(a.x, b.x)];
  const [y0, y1] = [Math.min(a.y, b.y), Math.max(a.y, b.y)];
  const inside = [];
  for (let i = seen[0]; i <= seen[1]; i++) {
    const [x, y] = at(i);
    if (x >= x0 && x <= x1 && y >= y0 && y <= y1) inside.push(i);
  }
  // A box with nothing but landmarks unmarks them.
  if (inside.length) act.mark(inside, !inside.every((i) => landmarks.has(i)));
}

// A finger cannot hover: its first tap on a timestamp reads it, the next one on the same marks it. Returns what is tapped now.
export function tap(act, index, before) {
  if (index >= 0 && index === before) act.toggle(index);
  act.hover(index, index >= 0);
  return index;
}
