// What the timeline of a quilt is made of, each drawn on a canvas: rows, nearby set, states, brackets, the chosen timestamp.
import { box, diamond, paint, path, write } from "../page/canvas.js";

const LABELS = 13; // rows that still have a name each

const rowY = ({ plot, state }, k) => plot.top + plot.height * (1 - (k + 0.5) / state.labels.length);

export function shown(labels) {
  const step = Math.max(1, Math.ceil(labels.length / LABELS));
  return labels.map((_, k) => k).filter((k) => k % step === 0);
}

export function rows(draw) {
  const { context, plot, colours, state } = draw;
  for (const k of shown(state.labels)) {
    const y = rowY(draw, k);
    path(context, plot.left, y, plot.left + plot.width, y);
    paint(context, { stroke: colours.grid });
    const look = { fillStyle: colours.quiet, textAlign: "right", textBaseline: "middle" };
    write(context, state.labels[k], plot.left - 6, y, look, plot.left - 8);
  }
}

// The nearby set: tinted and hatched.
export function band({ context, plot, colours, state, x, detailed }) {
  const [first, last] = state.nearby;
  const from = Math.max(plot.left, x(first));
  const to = Math.min(plot.left + plot.width, x(last + 1));
  if (to <= from) return;
  const [top, bottom] = [plot.top - 4, plot.top + plot.height + 4];
  context.save();
  box(context, from, top, Math.max(2, to - from), bottom - top);
  context.clip();
  paint(context, { fill: colours.near });
  for (let at = from - plot.height - 8; detailed && at < to; at += 11) {
    path(context, at, bottom, at + plot.height + 8, top);
    paint(context, { stroke: colours.hatch });
  }
  context.restore();
}

// The states as steps; of many timestamps in a pixel the lowest and the highest state, with the one before them.
export function steps(draw) {
  const { context, plot, colours, state, x, unit } = draw;
  const [first, last] = plot.range;
  context.beginPath();
  if (unit >= 1) {
    for (let t = first; t <= last; t++) {
      const y = rowY(draw, state.states[t]);
      context.lineTo(x(t), y);
      context.lineTo(x(t + 1), y);
    }
  } else {
    for (let pixel = 0; pixel < plot.width; pixel++) {
      const from = Math.floor(first + pixel / unit);
      const to = Math.min(last, Math.max(from, Math.floor(first + (pixel + 1) / unit) - 1));
      const seen = state.states.slice(Math.max(first, from - 1), to + 1);
      context.moveTo(plot.left + pixel, rowY(draw, Math.min(...seen)) + 0.7);
      context.lineTo(plot.left + pixel, rowY(draw, Math.max(...seen)) - 0.7);
    }
  }
  paint(context, { stroke: colours.state, width: draw.detailed ? 2.4 : 1.4 });
}

// The quilt: a bracket at each of its timestamps, opening away from the secret.
export function quilt({ context, plot, colours, state, x, unit, detailed }) {
  state.quilt.forEach((t, side) => {
    if (t === null || t < plot.range[0] || t > plot.range[1]) return;
    const at = x(t) + unit / 2;
    const foot = at + (side ? 1 : -1) * (detailed ? 7 : 4);
    const [top, bottom] = [plot.top - 4, plot.top + plot.height + 4];
    path(context, foot, top, at, top, at, bottom, foot, bottom);
    paint(context, { stroke: colours.stitch, width: detailed ? 3 : 2 });
    const text = String(t + 1);
    const room = side ? plot.left + plot.width - at : at - plot.left;
    const look = { fillStyle: colours.stitch, textAlign: side ? "left" : "right", textBaseline: "alphabetic" };
    if (detailed && context.measureText(text).width < room) write(context, text, at, plot.top - 9, look);
  });
}

// The chosen timestamp: a diamond on its state, and a line to the axis.
export function chosen({ context, plot, colours, state, x, unit, detailed }) {
  const at = x(state.node) + unit / 2;
  path(context, at, plot.top - 4, at, plot.top + plot.height + 4);
  paint(context, { stroke: colours.ink, width: 1.5 });
  diamond(context, at, rowY({ plot, state }, state.states[state.node]), detailed ? 8 : 5);
  paint(context, { fill: colours.chosen, stroke: colours.ink, width: 1.5 });
  const text = String(state.node + 1);
  const wide = context.measureText(text).width / 2;
  const near = state.quilt.some((t) => t !== null && Math.abs(x(t) - x(state.node)) < 2.2 * wide + 40);
  const middle = Math.min(plot.left + plot.width - wide, Math.max(plot.left + wide, at));
  const look = { fillStyle: colours.ink, textAlign: "center", textBaseline: "alphabetic" };
  if (detailed && !near) write(context, text, middle, plot.top - 9, look);
}

export function times({ context, plot, colours, state, x, unit }) {
  const [first, last] = plot.range;
  const foot = plot.top + plot.height;
  const most = Math.max(2, Math.floor(plot.width / (state.minutes ? 96 : 60)));
  const step = nice((last - first + 1) / most, state.minutes);
  // counted from 1, so that 10, 20, ... get the ticks; a clock has them on the hour
  const early = state.minutes ? Math.round(state.start_minute / state.minutes) % step : 1; // timestamps since such an hour
  const start = Math.ceil((first + early) / step) * step - early;
  for (let t = start; t <= last; t += step) {
    const at = x(t) + unit / 2;
    const text = clock(state, t) || String(t + 1);
    const wide = context.measureText(text).width / 2;
    path(context, at, foot + 4, at, foot + 8);
    paint(context, { stroke: colours.quiet });
    const end = plot.left + plot.width + 8 - wide; // the last one moves in a little
    const look = { fillStyle: colours.quiet, textAlign: "center", textBaseline: "top" };
    if (at - wide > 0) write(context, text, Math.min(at, end), foot + 9, look);
  }
}

// The part of the whole that is shown above.
export function framed({ context, plot, colours, x }, [first, last]) {
  paint(context, { stroke: colours.ink, width: 2 }, x(first), 2, Math.max(3, x(last + 1) - x(first)), plot.height + 8);
}

function nice(step, minutes) {
  const units = minutes
    ? [1, 2, 3, 6, 12, 24, 48, 96].map((hours) => Math.max(1, Math.round((hours * 60) / minutes)))
    : [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000];
  return units.find((u) => u >= step) ?? units.at(-1) * Math.ceil(step / units.at(-1));
}

export function clock({ minutes, start_minute: start }, t) {
  if (!minutes) return "";
  const at = Math.round(start + t * minutes);
  const pad = (number) => String(number).padStart(2, "0");
  return `day ${Math.floor(at / 1440) + 1} ${pad(Math.floor(at / 60) % 24)}:${pad(at % 60)}`;
}
