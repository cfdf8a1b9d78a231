// A figure description as SVG: axes with titles, traces, names beside the lines or in a legend, notes and level lines. Nothing
// here needs a page, so the same picture can be made anywhere.
import { axisOf, placed, rangeOf, ticksOf } from "./axis.js";
import { legendOf, namesBeside } from "./legend.js";
import { dashOf, escaped, fixed, linesOf, textAt } from "./symbols.js";
import { axisName, completed, drawTrace, extentOf, grouped, hasMarks, isBar, placeBars, sizeOfMark } from "./traces.js";

const HEIGHT = 340; // pixels
const TICK = 5; // pixels from an axis to its numbers
const EDGE = 10; // pixels around it all
const GAP = 4; // pixels between two texts
const MANY = 12; // numbers along an axis, at most
const LOW = 90; // pixels, the least height of the panels
const NAMED = 0.75; // pixels of type: the numbers of axes are smaller than their titles

// look: { colour(name), size, family }; measure(text, pixels): its width; prefix: of the ids in it; fixed: { margin, ranges } of
// panels whose places are known, without names.
// { text, width, height, axes, traces, points, layout }: text is the SVG; points: [{ trace, index, x, y, box?, r? }]
export function figureSvg(described, look, width, { measure = roughly, prefix = "f", title = "", note = "", fixed: given = null } = {}) {
  /** @type {any} */
  const drawing = { ...prepared(described), look, width, measure, prefix };
  drawing.letters = (drawing.layout.font?.size ?? 13) * look.size;
  drawing.height = (drawing.layout.height ?? HEIGHT) * look.size;
  drawing.head = title ? drawing.letters * 2.6 : 0;
  drawing.foot = note ? drawing.letters * (0.7 + 1.2 * linesOf(note).length) : 0;
  drawing.height += drawing.head + drawing.foot;
  given ? arrangeAs(drawing, given) : arrange(drawing);
  const { height, letters } = drawing;
  const parts = [panels(drawing), axes(drawing), lines(drawing), notes(drawing), drawing.names.draw()];
  if (title) parts.push(textAt(title, EDGE, drawing.head / 2, { size: 17, colour: look.colour("ink"), anchor: "start", bold: true }));
  if (note) parts.push(textAt(note, EDGE, height - drawing.foot / 2, { size: letters - 1, colour: look.colour("quiet"), anchor: "start" }));
  const size = `width="${fixed(width)}" height="${fixed(height)}" viewBox="0 0 ${fixed(width)} ${fixed(height)}"`;
  const text = `<svg xmlns="http://www.w3.org/2000/svg" class="lmdk-drawing" ${size} font-family="${escaped(look.family)}">${parts.join("")}</svg>`;
  return { ...drawing, text };
}

export const roughly = (text, pixels) => 0.56 * pixels * String(text).length;

function prepared({ data, layout = /** @type {any} */ ({}) }) {
  const traces = data.map(completed);
  const told = Object.keys(layout).filter((name) => /^[xy]axis\d*$/.test(name));
  const names = new Set([...traces.flatMap((trace) => [axisName(trace, "x"), axisName(trace, "y")]), ...told]);
  const found = {};
  for (const name of names) {
    const letter = name[0];
    const own = traces.filter((trace) => axisName(trace, letter) === name);
    found[name] = axisOf(layout[name] ?? {}, own.flatMap((trace) => Array.from(trace[letter]))); // biome-ignore format: short
    Object.assign(found[name], { name, letter, own });
  }
  for (const axis of Object.values(found)) axis.partner = partnerOf(axis, found, traces);
  placeBars(traces, found, layout);
  return { traces, layout, axes: found };
}

// The crossing axis at which an axis is placed.
function partnerOf({ name, letter, described, own }, axes, traces) {
  const other = letter === "x" ? "y" : "x";
  const anchor = described.anchor && axes[`${other}axis${described.anchor.slice(1)}`];
  return anchor ?? axes[axisName(own[0] ?? traces[0] ?? {}, other)] ?? axes[`${other}axis${name.slice(5)}`];
}

// Sizes: ranges need lengths, margins need the ticks of the ranges; after the second pass, nothing moves any more.
function arrange(drawing) {
  const { layout, letters, axes: all } = drawing;
  let margin = { l: 50, r: 14, t: 12, b: 46 };
  drawing.names = legendOf(drawing);
  for (let k = 0; k < 3; k++) {
    drawing.margin = margin;
    drawing.height = Math.max(drawing.height, margin.t + margin.b + LOW);
    inside(drawing);
    range(all);
    for (const axis of Object.values(all)) axis.ticks = ticksFor(axis, drawing);
    if (k === 1) drawing.names = namesBeside(drawing) ?? drawing.names;
    const top = EDGE + drawing.head + drawing.names.high + (above(layout) ? letters * 1.5 : 0);
    margin = { l: leftOf(all, drawing), r: Math.max(rightOf(all, drawing), drawing.names.wide), t: top, b: belowOf(all, drawing) + drawing.foot };
  }
}

// Where each axis lies inside the margin.
function inside({ axes: all, margin, width, height }) {
  const [wide, high] = [Math.max(40, width - margin.l - margin.r), height - margin.t - margin.b];
  for (const axis of Object.values(all)) {
    const [from, to] = axis.described.domain ?? [0, 1];
    const up = axis.letter === "y";
    axis.offset = up ? margin.t + (1 - to) * high : margin.l + from * wide;
    axis.length = (to - from) * (up ? high : wide);
  }
}

function arrangeAs(drawing, { margin, ranges }) {
  Object.assign(drawing, { margin, names: { draw: () => "" } });
  inside(drawing);
  for (const axis of Object.values(drawing.axes)) {
    placed(axis, ranges[axis.name] ?? [0, 1], axis.offset, axis.length, axis.letter === "y");
    axis.ticks = axis.described.showticklabels === false ? { list: [], size: 0, turn: 0 } : ticksFor(axis, drawing);
  }
}

const above = ({ annotations = [] }) => annotations.some(({ yref, y, yanchor }) => yref === "paper" && y > 0.98 && yanchor === "bottom");

// Ranges of all axes; those that match share theirs, and those on one scale have pixels of equal size.
function range(axes) {
  const groups = grouped(Object.values(axes), ({ described, name, letter }) => (described.matches ? `${letter}axis${described.matches.slice(1)}` : name));
  for (const group of groups.values()) {
    const found = /** @type {[number, number]} */ ([Infinity, -Infinity]);
    let padded = 0;
    const tight = group.every(({ letter, own }) => letter === "x" && own.every((trace) => !isBar(trace) && !hasMarks(trace)));
    for (const axis of group)
      for (const trace of axis.own) {
        const [low, high] = extentOf(trace, axis, axis.letter);
        found[0] = Math.min(found[0], low);
        found[1] = Math.max(found[1], high);
        if (hasMarks(trace) && !axis.names) padded = Math.max(padded, marksRoom(trace));
      }
    const barred = group.some(({ own }) => own.some((trace) => isBar(trace)));
    const across = group[0].letter === "x" && !barred;
    for (const axis of group) placed(axis, rangeOf(axis, found, { tight: tight || across, padded }), axis.offset, axis.length, axis.letter === "y");
  }
  for (const axis of Object.values(axes)) if (axis.described.scaleanchor) oneScale(axis, axes[`xaxis${axis.described.scaleanchor.slice(1)}`]);
}

const [LEAN, STEEP] = [-35, -65]; // degrees by which names under a chart are turned, so that none is cut
const WIDE = 0.4; // the share of a chart's width from which its longest name is turned further

const marksRoom = (trace) => Math.min(20, trace.x.reduce((most, _, i) => Math.max(most, sizeOfMark(trace, i) || 0), 0) / 2 + 4);

function oneScale(y, x) {
  const worth = (axis) => axis.length / (axis.range[1] - axis.range[0] || 1);
  const pixels = Math.min(worth(x), worth(y));
  for (const axis of [x, y]) {
    const length = pixels * (axis.range[1] - axis.range[0]);
    placed(axis, axis.range, axis.offset + (axis.length - length) / 2, length, axis.letter === "y");
  }
}

// Ticks as far apart as their texts need; turned if words would overlap.
// Every tick, or every second, every third and so on, so that they are this many pixels apart.
export function apart(list, pixel, least) {
  for (let every = 1; every < list.length; every++) {
    const some = list.filter((_, k) => k % every === 0);
    if (some.every((tick, k) => !k || Math.abs(pixel(tick) - pixel(some[k - 1])) >= least)) return some;
  }
  return list.slice(0, 1);
}

function ticksFor(axis, { measure, letters, width }) {
  const size = letters - NAMED;
  if (axis.letter === "y") {
    const list = ticksOf(axis, Math.min(axis.described.nticks ?? 12, Math.max(2, axis.length / (size * 3))));
    return { size, turn: 0, list: axis.described.tickvals ? apart(list, (tick) => axis.pixel(tick.at), size * 0.9) : list };
  }
  const wide = ({ text }) => Math.max(...linesOf(text).map((line) => measure(line, size)));
  const overlap = (list) => list.some((tick, k) => k && axis.pixel(tick.at) - axis.pixel(list[k - 1].at) < (wide(tick) + wide(list[k - 1])) / 2 + 2 * GAP);
  const given = axis.described.tickangle;
  if (given) return { size, turn: given, list: ticksOf(axis, 100).map(inALine) };
  const fixedOnes = axis.described.tickvals || axis.names;
  for (let most = Math.max(2, Math.min(MANY, axis.length / (size * 3.4))); ; most *= 0.7) {
    const list = ticksOf(axis, most).sort((a, b) => a.at - b.at);
    const broad = axis.names && list.some((tick) => wide(tick) > width / 3); // beside the chart there is no room for it
    if (!(overlap(list) || broad) || most < 2) return { size, turn: 0, list: overlap(list) ? list.filter((_, k) => k % 2 === 0) : list };
    if (fixedOnes) return words(axis, list, { size, given, overlap, turn: list.some((tick) => wide(tick) > WIDE * width) ? STEEP : LEAN });
  }
}

function words(axis, list, { size, given, overlap, turn }) {
  const numbers = axis.described.tickvals && list.every(({ text }) => /^[\d.,/^−⁰-⁹·]+$/.test(text));
  if (given === undefined && !numbers) return { size, turn, list: list.map(inALine) };
  for (const step of [2, 3, 4, 6, 8, 12]) {
    const some = list.filter((_, k) => k % step === 0);
    if (!overlap(some)) return { size, turn: 0, list: some };
  }
  return { size, turn: 0, list: list.slice(0, 1) };
}

const inALine = ({ at, text }) => ({ at, text: linesOf(text).join(" ") });
const titleOf = ({ described }) => (typeof described.title === "string" ? described.title : (described.title?.text ?? ""));
const isLeft = (axis) => (axis.partner?.described.domain?.[0] ?? 0) < 0.01;
const isLow = (axis) => (axis.partner?.described.domain?.[0] ?? 0) < 0.01;
const widest = ({ ticks }, measure) => Math.max(0, ...ticks.list.flatMap(({ text }) => linesOf(text).map((line) => measure(line, ticks.size))));

function leftOf(axes, { measure, letters }) {
  const own = Object.values(axes).filter((axis) => axis.letter === "y" && isLeft(axis));
  const rooms = own.map((axis) => widest(axis, measure) + TICK + (titleOf(axis) ? letters * 1.5 : 0) + GAP);
  const lean = Object.values(axes).filter((axis) => axis.letter === "x" && axis.ticks.turn < 0 && axis.ticks.list.length);
  const from = (axis, tick) => axis.pixel(tick.at) - axis.offset; // how far from the left end of the axis
  const leant = lean.flatMap((axis) =>
    axis.ticks.list.map((tick) => measure(linesOf(tick.text)[0], axis.ticks.size) * Math.cos((axis.ticks.turn * Math.PI) / 180) - from(axis, tick) + GAP),
  );
  const level = Object.values(axes).filter(({ letter, ticks }) => letter === "x" && !ticks.turn && ticks.list.length);
  const centred = level.flatMap((axis) => axis.ticks.list.map((tick) => widestLine(tick, axis, measure) / 2 - from(axis, tick) + GAP));
  return Math.max(24, ...rooms, ...leant, ...centred);
}

const widestLine = ({ text }, { ticks }, measure) => Math.max(...linesOf(text).map((line) => measure(line, ticks.size)));

function rightOf(axes, { measure, width }) {
  const over = Object.values(axes).filter(({ letter, ticks }) => letter === "x" && !ticks.turn);
  const last = over.map((axis) => {
    const tick = axis.ticks.list.at(-1);
    return tick ? widestLine(tick, axis, measure) / 2 - (axis.offset + axis.length - axis.pixel(tick.at)) : 0;
  });
  return Math.min(width / 4, Math.max(EDGE, ...last.map((v) => v + GAP)));
}

const turnedHigh = ({ ticks }, measure) => Math.sin((Math.abs(ticks.turn) * Math.PI) / 180) * widest({ ticks }, measure) + ticks.size * 0.6;
const ticksHigh = (axis, measure) =>
  axis.ticks.turn ? turnedHigh(axis, measure) : Math.max(1, ...axis.ticks.list.map(({ text }) => linesOf(text).length)) * axis.ticks.size * 1.2;

function belowOf(axes, { measure, letters }) {
  const own = Object.values(axes).filter((axis) => axis.letter === "x" && isLow(axis));
  return Math.max(24, ...own.map((axis) => TICK + ticksHigh(axis, measure) + (titleOf(axis) ? letters * 1.6 : 0) + GAP));
}

// The pairs of axes, each a panel.
const pairs = ({ traces, axes }) => {
  const names = traces.map((trace) => [axisName(trace, "x"), axisName(trace, "y")]);
  const bare = Object.values(axes).filter(({ letter, own, partner }) => letter === "y" && !own.length && partner);
  const found = new Map([...names, ...bare.map(({ name, partner }) => [partner.name, name])].map(([x, y]) => [x + y, [axes[x], axes[y]]]));
  return [...found.values()];
};

function panels(drawing) {
  const { look } = drawing;
  const grid = [];
  for (const [x, y] of pairs(drawing)) {
    const box = `x="${fixed(x.offset)}" y="${fixed(y.offset)}" width="${fixed(x.length)}" height="${fixed(y.length)}"`;
    grid.push(`<rect class="lmdk-panel" ${box} fill="${look.colour("panel")}"/>`);
    const zero = (axis, at) =>
      Math.abs(at) < 1e-12 && !axis.log && !axis.names && axis.described.zeroline !== false ? look.colour("line") : look.colour("grid");
    const shown = (axis) => (axis.described.showgrid === false || axis.names ? [] : axis.ticks.list);
    for (const { at } of shown(x)) grid.push(`<path d="M${fixed(x.pixel(at))},${fixed(y.offset)}v${fixed(y.length)}" stroke="${zero(x, at)}"/>`);
    for (const { at } of shown(y)) grid.push(`<path d="M${fixed(x.offset)},${fixed(y.pixel(at))}h${fixed(x.length)}" stroke="${zero(y, at)}"/>`);
  }
  const edges = pairs(drawing).map(([x, y]) => `M${fixed(x.offset)},${fixed(y.offset)}v${fixed(y.length)}h${fixed(x.length)}`);
  return `<g class="lmdk-grid">${grid.join("")}<path d="${edges.join("")}" fill="none" stroke="${look.colour("quiet")}"/></g>`;
}

function axes(drawing) {
  const { look, letters, measure, axes: all, margin } = drawing;
  const colour = look.colour("ink");
  const parts = [];
  for (const axis of Object.values(all)) {
    const { ticks, partner, letter } = axis;
    const { size, turn, list } = ticks;
    if (letter === "y") {
      const left = partner.offset;
      for (const tick of list) parts.push(textAt(tick.text, left - TICK, axis.pixel(tick.at), { size, colour, anchor: "end", label: "y" }));
      const beside = isLeft(axis)
        ? Math.min(left - TICK - widest(axis, measure) - letters * 0.9, margin.l - TICK - widest(axis, measure) - letters * 0.75)
        : left - TICK - widest(axis, measure) - letters;
      if (titleOf(axis))
        parts.push(textAt(titleOf(axis), Math.max(letters * 0.7, beside), axis.offset + axis.length / 2, { size: letters, colour, turn: -90, label: "title" }));
      continue;
    }
    const low = partner.offset + partner.length + TICK;
    for (const tick of list) {
      const at = turn ? { anchor: "end", turn, vertical: "middle" } : { vertical: "top" };
      parts.push(textAt(tick.text, axis.pixel(tick.at), turn ? low + size * 0.5 : low, { size, colour, label: "x", ...at }));
    }
    if (titleOf(axis))
      parts.push(
        textAt(titleOf(axis), axis.offset + axis.length / 2, low + ticksHigh(axis, measure) + GAP / 2, {
          size: letters,
          colour,
          vertical: "top",
          label: "title",
        }),
      );
  }
  return `<g class="lmdk-axes">${parts.join("")}</g>`;
}

function lines(drawing) {
  const { traces, axes: all, prefix, look, letters } = drawing;
  const [defs, under, over] = [[], [], []];
  drawing.points = [];
  for (const [x, y] of pairs(drawing)) {
    const clip = `${prefix}${x.name}${y.name}`;
    const box = `x="${fixed(x.offset)}" y="${fixed(y.offset)}" width="${fixed(x.length)}" height="${fixed(y.length)}"`;
    defs.push(`<clipPath id="${clip}"><rect ${box}/></clipPath>`);
    let before = null;
    for (const trace of traces) {
      if (all[axisName(trace, "x")] !== x || all[axisName(trace, "y")] !== y) continue;
      const drawn = drawTrace(trace, x, y, { prefix, before, paper: look.colour("paper"), ink: look.colour("ink"), size: letters - 1 });
      before = trace;
      defs.push(drawn.defs);
      for (const point of drawn.points) drawing.points.push(point);
      under.push(`<g class="lmdk-trace" data-trace="${trace.k}" clip-path="url(#${clip})">${drawn.under}</g>`);
      over.push(`<g class="lmdk-marks" data-trace="${trace.k}">${drawn.over}</g>`);
    }
  }
  return `<defs>${defs.join("")}</defs>${shapes(drawing)}${under.join("")}${over.join("")}`;
}

const onPaper = ({ margin, width, height }, letter, v) =>
  letter === "x" ? margin.l + v * (width - margin.l - margin.r) : margin.t + (1 - v) * (height - margin.t - margin.b);

// Where a note or a level line lies: in shares of all panels, or on an axis.
function spot(drawing, { xref = "x", yref = "y" }, x, y) {
  const on = (ref, letter, v) => (ref === "paper" ? onPaper(drawing, letter, v) : (drawing.axes[`${letter}axis${ref.slice(1)}`]?.at(v) ?? 0));
  return [on(xref, "x", x), on(yref, "y", y)];
}

function shapes(drawing) {
  const drawn = (drawing.layout.shapes ?? []).map((shape) => {
    const [[a, b], [c, d]] = [spot(drawing, shape, shape.x0, shape.y0), spot(drawing, shape, shape.x1, shape.y1)];
    const dash = dashOf(shape.line?.dash)?.join(" ") ?? "none";
    const look = `stroke="${shape.line?.color ?? drawing.look.colour("quiet")}" stroke-width="${shape.line?.width ?? 2}" stroke-dasharray="${dash}"`;
    return `<path d="M${fixed(a)},${fixed(b)}L${fixed(c)},${fixed(d)}" fill="none" ${look}/>`;
  });
  return drawn.join("");
}

function notes(drawing) {
  const { letters, look } = drawing;
  return (drawing.layout.annotations ?? [])
    .map((note) => {
      const [x, y] = spot(drawing, note, note.x, note.y);
      const vertical = { bottom: "bottom", top: "top" }[note.yanchor] ?? "middle";
      const turned = note.textangle
        ? { turn: note.textangle, anchor: note.yanchor === "bottom" ? "start" : "middle", vertical: "middle" }
        : { vertical, anchor: { left: "start", right: "end" }[note.xanchor] ?? "middle" };
      return textAt(note.text, x, y, { size: note.font?.size ?? letters - 1, colour: note.font?.color ?? look.colour("ink"), ...turned });
    })
    .join("");
}
