// Where a chart of a series has its values and times: a lane of numbers, or a lane of true answers above one of released ones.
import { paint, path, write } from "../page/canvas.js";
import { sizeOf } from "../page/theme.js";
import { ticks } from "./timeline.js";

const FONT = (size) => `${Math.round(11 * size)}px system-ui, sans-serif`;
const ROOM = 0.08; // above the greatest and below the least value, as a share of what lies between
const MARK = 12; // pixels: room for half a landmark at both ends

// size: { width, height }, range: [first, last] of the timestamps, ends: [least, greatest] value; alone: whether only what was
// released is drawn, as in a saved report; above: pixels for what lies over the values
export function axes(box, { width, height }, range, ends, answers, { alone = false, above = 50 } = {}) {
  const size = sizeOf(box);
  const frame = { left: 52 * size, top: above * size, right: width - MARK, bottom: height - 36 * size };
  const across = (frame.right - frame.left - MARK) / Math.max(1e-9, range[1] - range[0]);
  const lane = (top, bottom, [low, high]) => {
    const room = ROOM * (high - low || 1);
    return (value) => bottom - ((value - low + room) / (high - low + 2 * room)) * (bottom - top);
  };
  const middle = (frame.top + frame.bottom) / 2;
  const both = answers && !alone;
  const [truth, released] = both
    ? [lane(frame.top, middle - 6, [0, 1]), lane(middle + 6, frame.bottom, [0, 1])]
    : Array(2).fill(lane(frame.top, frame.bottom, answers ? [0, 1] : ends));
  return {
    ...{ ...frame, size, range, ends, truth, released, across, alone, lane: both ? [frame.top, middle - 6] : null },
    x: (index) => frame.left + MARK / 2 + (index - range[0]) * across,
    at: (x) => Math.round(range[0] + (x - frame.left - MARK / 2) / across),
  };
}

// The least and the greatest number of some arrays; one apart where all are alike.
export function endsOf(...arrays) {
  let [low, high] = [Infinity, -Infinity];
  for (const values of arrays) {
    for (const v of values ?? []) {
      if (v < low) low = v;
      if (v > high && v < Infinity) high = v;
    }
  }
  return low < high ? [low, high] : low === high ? [low - 0.5, low + 0.5] : [0, 1];
}

// A round step of which about four lie between two numbers, and what is written at each.
function steps([low, high]) {
  const rough = (high - low) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((k) => k * power).find((s) => s >= rough) ?? 10 * power;
  const count = Math.floor(high / step + 1e-9) - Math.ceil(low / step - 1e-9) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, k) => (Math.ceil(low / step - 1e-9) + k) * step);
}

const written = (value) => Number(value.toPrecision(6)).toLocaleString("en", { maximumFractionDigits: 12 });

export function drawAxes(context, scale, { track, colours }) {
  const { left, right, top, bottom, size, truth, released } = scale;
  const look = { font: FONT(size), fillStyle: colours.quiet, textAlign: "right", textBaseline: "middle" };
  const level = (text, y) => {
    path(context, left, Math.round(y) + 0.5, right, Math.round(y) + 0.5);
    paint(context, { stroke: colours.grid });
    write(context, text, left - 5, y, look, left - 6);
  };
  const { kind, unit, answers } = track.series;
  if (kind === "answers") {
    const lanes = [
      [truth, "true"],
      [released, "released"],
    ];
    for (const [lane, text] of scale.alone ? lanes.slice(1) : lanes) {
      answers.forEach((answer, value) => level(answer, lane(value)));
      write(context, text, left + 4, lane(1) - 9, { ...look, textAlign: "left" });
    }
  } else {
    for (const value of steps(scale.ends)) level(written(value), truth(value));
    write(context, unit, 4, top - 14, { ...look, textAlign: "left" });
  }
  const below = { ...look, textAlign: "center", textBaseline: "top" };
  for (const { at, lines } of ticks(track, scale.range, (right - left) / size)) {
    path(context, scale.x(at), bottom, scale.x(at), bottom + 4);
    paint(context, { stroke: colours.line });
    lines.forEach((line, k) => write(context, line, scale.x(at), bottom + 6 + 13 * size * k, below));
  }
}
