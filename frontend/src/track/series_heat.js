// What an adversary believes about a series, in its chart: a column of levels for each timestamp, the darker the likelier, of
// answers how likely the upper one is, the likeliest path, and the best guess where one looks. Which level has which class is in its byte, as on the map.
import { diamond, paint, path, star } from "../page/canvas.js";

const CLASS = 7; // bits of a byte
const FIRST = 2; // class of the palette of the first class that is drawn
const THIN = 3; // pixels: the least width of a column that stands alone
const MANY = 300; // timestamps of a path that is a thin line

// heat: { edges, marks, whole, first, path, guess, at, picked }; scale: as `axes` gives it; lane: [top, bottom] in pixels
export function drawSeriesHeat(context, scale, heat, palette) {
  const { marks, whole, first } = heat;
  if (heat.yes) return drawChance(context, scale, heat.yes, palette[5]);
  const m = heat.edges.length - 1;
  const ends = endsOfLevels(scale, heat.edges);
  const from = whole ? Math.max(0, Math.floor(scale.range[0])) : first;
  const to = whole ? Math.min(marks.length / m - 1, Math.ceil(scale.range[1])) : first;
  const column = new Uint8Array(m);
  for (let i = from; i <= to; ) {
    const left = scale.x(i - 0.5);
    column.fill(0);
    // more timestamps than pixels: of each level the likeliest of the pixel
    do {
      const start = whole ? i * m : 0;
      for (let k = 0; k < m; k++) column[k] = Math.max(column[k], marks[start + k] & CLASS);
      i++;
    } while (i <= to && scale.x(i - 0.5) - left < 1);
    const width = Math.max(scale.x(i - 0.5) - left, whole ? 0 : THIN);
    fillColumn(context, column, ends, left, width, palette);
  }
}

// How likely the attacker takes the upper answer to be, from the lower one's line up to the upper one's.
function drawChance(context, { range, x, truth }, yes, fill) {
  const [from, to] = [Math.max(0, Math.floor(range[0]) - 1), Math.min(yes.length - 1, Math.ceil(range[1]) + 1)];
  context.beginPath();
  context.moveTo(x(from - 0.5), truth(0));
  for (let i = from; i <= to; i++) {
    context.lineTo(x(i - 0.5), truth(yes[i]));
    context.lineTo(x(i + 0.5), truth(yes[i]));
  }
  context.lineTo(x(to + 0.5), truth(0));
  paint(context, { fill });
}

// Levels in a row that have the same class as one box.
function fillColumn(context, column, ends, left, width, palette) {
  for (let k = 0; k < column.length; ) {
    let last = k;
    while (last + 1 < column.length && column[last + 1] === column[k]) last++;
    if (column[k]) paint(context, { fill: palette[FIRST - 1 + column[k]] }, left, ends[last + 1], width, ends[k] - ends[last + 1]);
    k = last + 1;
  }
}

// The likeliest path, and at the timestamp that is looked at the best guess and the step of that path.
export function drawSeriesBelieved(context, scale, heat, colours, answers) {
  const { path: passed, guess, at } = heat;
  const ends = endsOfLevels(scale, heat.edges);
  const middle = (level) => (answers ? scale.truth(level) : (ends[level] + ends[level + 1]) / 2);
  const from = Math.max(0, Math.floor(scale.range[0]) - 1);
  const to = Math.min(passed.length - 1, Math.ceil(scale.range[1]) + 1);
  context.beginPath();
  for (let i = from; i <= to; i++) {
    const y = middle(passed[i]);
    if (i === from || passed[i] !== passed[i - 1]) context.lineTo(scale.x(i - 0.5), y);
    context.lineTo(scale.x(i + 0.5), y);
  }
  const many = to - from > MANY;
  context.globalAlpha = many ? 0.6 : 1;
  paint(context, { stroke: colours.path, width: many ? 1.2 : 2, dash: many ? [] : [6, 4] });
  context.globalAlpha = 1;
  if (at < from || at > to) return;
  const x = scale.x(at);
  path(context, x, scale.top - 12, x, scale.bottom);
  paint(context, { stroke: colours.ink, width: 1, dash: [1, 3] });
  diamond(context, x, middle(passed[at]), 6);
  paint(context, { fill: colours.path, stroke: colours.paper, width: 1.5 });
  star(context, x, middle(guess[at]), 11);
  paint(context, { fill: colours.paper, stroke: colours.ink, width: 2 });
}

// Where levels begin and end in pixels, from the lowest; within the lane of the true answers.
function endsOfLevels({ truth, top, bottom, lane }, edges) {
  const [high, low] = lane ?? [top, bottom];
  return Array.from(edges, (edge) => Math.min(low, Math.max(high, truth(edge))));
}
