// What the timeline of a quilt is made of, each drawn on a canvas: rows, nearby set, states, brackets, the chosen timestamp.

const LABELS = 13; // rows that still have a name each

const rowY = ({ plot, state }, k) => plot.top + plot.height * (1 - (k + 0.5) / state.labels.length);

export function shown(labels) {
  const step = Math.max(1, Math.ceil(labels.length / LABELS));
  return labels.map((_, k) => k).filter((k) => k % step === 0);
}

export function rows(draw) {
  const { context, plot, colours, state } = draw;
  context.textAlign = "right";
  context.textBaseline = "middle";
  for (const k of shown(state.labels)) {
    const y = rowY(draw, k);
    context.strokeStyle = colours.grid;
    context.lineWidth = 1;
    line(context, plot.left, y, plot.left + plot.width, y);
    context.fillStyle = colours.quiet;
    context.fillText(state.labels[k], plot.left - 6, y, plot.left - 8);
  }
}

// The nearby set: tinted and hatched.
export function band({ context, plot, colours, state, x, detailed }) {
  const [first, last] = state.nearby;
  const from = Math.max(plot.left, x(first));
  const to = Math.min(plot.left + plot.width, x(last + 1));
  if (to <= from) return;
  context.save();
  context.beginPath();
  context.rect(from, plot.top - 4, Math.max(2, to - from), plot.height + 8);
  context.clip();
  context.fillStyle = colours.near;
  context.fill();
  if (detailed) {
    context.strokeStyle = colours.hatch;
    context.lineWidth = 1;
    for (let at = from - plot.height - 8; at < to; at += 11) line(context, at, plot.top + plot.height + 4, at + plot.height + 8, plot.top - 4);
  }
  context.restore();
}

// The states as steps; of many timestamps in a pixel the lowest and the highest state, with the one before them.
export function steps(draw) {
  const { context, plot, colours, state, x, unit } = draw;
  const { range } = plot;
  context.strokeStyle = colours.state;
  context.lineWidth = draw.detailed ? 2.4 : 1.4;
  context.beginPath();
  if (unit >= 1) {
    for (let t = range[0]; t <= range[1]; t++) {
      const y = rowY(draw, state.states[t]);
      if (t === range[0]) context.moveTo(x(t), y);
      else context.lineTo(x(t), y);
      context.lineTo(x(t + 1), y);
    }
  } else {
    for (let pixel = 0; pixel < plot.width; pixel++) {
      const from = Math.floor(range[0] + pixel / unit);
      const to = Math.min(range[1], Math.max(from, Math.floor(range[0] + (pixel + 1) / unit) - 1));
      let [low, high] = [Infinity, -Infinity];
      for (let t = Math.max(range[0], from - 1); t <= to; t++) {
        low = Math.min(low, state.states[t]);
        high = Math.max(high, state.states[t]);
      }
      context.moveTo(plot.left + pixel, rowY(draw, low) + 0.7);
      context.lineTo(plot.left + pixel, rowY(draw, high) - 0.7);
    }
  }
  context.stroke();
}

// The quilt: a bracket at each of its timestamps, opening away from the secret.
export function quilt({ context, plot, colours, state, x, unit, detailed }) {
  context.strokeStyle = context.fillStyle = colours.stitch;
  context.lineWidth = detailed ? 3 : 2;
  state.quilt.forEach((t, side) => {
    if (t === null || t < plot.range[0] || t > plot.range[1]) return;
    const at = x(t) + unit / 2;
    const foot = (side ? 1 : -1) * (detailed ? 7 : 4);
    const [top, bottom] = [plot.top - 4, plot.top + plot.height + 4];
    context.beginPath();
    context.moveTo(at + foot, top);
    context.lineTo(at, top);
    context.lineTo(at, bottom);
    context.lineTo(at + foot, bottom);
    context.stroke();
    if (!detailed) return;
    context.textAlign = side ? "left" : "right";
    context.textBaseline = "alphabetic";
    const text = `quilt ${t + 1}`;
    const room = side ? plot.left + plot.width - at : at - plot.left;
    if (context.measureText(text).width < room) context.fillText(text, at, plot.top - 9);
  });
}

// The chosen timestamp: a diamond on its state, and a line to the axis.
export function chosen(draw) {
  const { context, plot, colours, state, x, unit, detailed } = draw;
  const at = x(state.node) + unit / 2;
  const y = rowY(draw, state.states[state.node]);
  const size = detailed ? 8 : 5;
  context.strokeStyle = colours.ink;
  context.lineWidth = 1.5;
  line(context, at, plot.top - 4, at, plot.top + plot.height + 4);
  context.beginPath();
  context.moveTo(at, y - size);
  context.lineTo(at + size, y);
  context.lineTo(at, y + size);
  context.lineTo(at - size, y);
  context.closePath();
  context.fillStyle = colours.chosen;
  context.fill();
  context.stroke();
  if (!detailed) return;
  context.fillStyle = colours.ink;
  context.textAlign = "center";
  context.textBaseline = "alphabetic";
  const text = `secret ${state.node + 1}`;
  const wide = context.measureText(text).width / 2;
  const near = state.quilt.some((t) => t !== null && Math.abs(x(t) - x(state.node)) < 2.2 * wide + 40);
  if (!near) context.fillText(text, Math.min(plot.left + plot.width - wide, Math.max(plot.left + wide, at)), plot.top - 9);
}

export function times({ context, plot, colours, state, x, unit }) {
  const [first, last] = plot.range;
  const most = Math.max(2, Math.floor(plot.width / (state.minutes ? 96 : 60)));
  const step = nice((last - first + 1) / most, state.minutes);
  context.fillStyle = colours.quiet;
  context.textAlign = "center";
  context.textBaseline = "top";
  context.strokeStyle = colours.quiet;
  context.lineWidth = 1;
  // counted from 1, so that 10, 20, ... get the ticks; a clock has them on the hour
  const early = state.minutes ? Math.round(state.start_minute / state.minutes) % step : 1; // timestamps since such an hour
  const start = Math.ceil((first + early) / step) * step - early;
  for (let t = start; t <= last; t += step) {
    const at = x(t) + unit / 2;
    const text = clock(state, t) || String(t + 1);
    const wide = context.measureText(text).width / 2;
    line(context, at, plot.top + plot.height + 4, at, plot.top + plot.height + 8);
    const end = plot.left + plot.width + 8 - wide; // the last one moves in a little
    if (at - wide > 0) context.fillText(text, Math.min(at, end), plot.top + plot.height + 9);
  }
}

// The part of the whole that is shown above.
export function framed({ context, plot, colours, x }, [first, last]) {
  context.strokeStyle = colours.ink;
  context.lineWidth = 2;
  context.strokeRect(x(first), 2, Math.max(3, x(last + 1) - x(first)), plot.height + 8);
}

function line(context, x1, y1, x2, y2) {
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.stroke();
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
