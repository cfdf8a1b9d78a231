// Shares of answers as bars, and what they tell about the true shares: an estimate with its interval, all computed in Python.
import { h, svg } from "../page/dom.js";

const WIDTH = 1000;
const LINE = 24; // of a name
const LETTERS = 86; // of a name in a line
const BAR = 38; // with the space below it
const ESTIMATE = 26;
const TOP = 34;

export function bars(rows, label) {
  if (!rows.length) return h("p", { class: "class-wait" }, "Nobody has answered yet.");
  const low = Math.min(0, ...rows.map((row) => row.estimate ?? 0));
  const high = Math.max(1, ...rows.map((row) => row.estimate ?? 1));
  const x = (share) => 10 + ((share - low) / (high - low)) * (WIDTH - 20);
  const names = rows.map((row) => inLines(`${row.right ? "✓ " : ""}${row.name}: ${row.said}`));
  const heights = rows.map((row, k) => LINE * names[k].length + BAR + (row.estimate === undefined ? 0 : ESTIMATE));
  const bottom = heights.reduce((sum, height) => sum + height, TOP);
  const frame = svg("svg", { viewBox: `0 0 ${WIDTH} ${bottom}`, class: "class-bars", role: "img", "aria-label": label });
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    frame.append(svg("line", { x1: x(share), x2: x(share), y1: TOP - 6, y2: bottom, class: "class-tick" }));
    frame.append(svg("text", { x: x(share), y: TOP - 12, "text-anchor": anchor(share), class: "class-scale" }, `${100 * share} %`));
  }
  let top = TOP;
  for (const [k, row] of rows.entries()) {
    frame.append(...drawn(row, names[k], top, x));
    top += heights[k];
  }
  return frame;
}

// A name in lines that fit.
function inLines(name) {
  const lines = [""];
  for (const word of name.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trimStart();
    if (longer.length > LETTERS && lines.at(-1)) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

const anchor = (share) => ({ 0: "start", 1: "end" })[share] ?? "middle";

function drawn(row, name, top, x) {
  const below = top + LINE * name.length;
  const parts = [
    ...name.map((line, k) => svg("text", { x: x(0), y: top + LINE * (k + 1) - 4, class: "class-barname" }, line)),
    svg("rect", { x: x(0), y: below + 4, width: x(row.share) - x(0), height: 26, class: row.right ? "class-bar class-right" : "class-bar" }),
  ];
  if (row.estimate === undefined) return parts;
  const y = below + 44;
  const [from, to, at] = [x(row.low), x(row.high), x(row.estimate)];
  parts.push(svg("path", { d: `M${from} ${y - 7}v14M${to} ${y - 7}v14M${from} ${y}H${to}`, class: "class-interval" }));
  parts.push(svg("path", { d: `M${at} ${y - 10}l10 10l-10 10l-10-10z`, class: "class-estimate" }));
  return parts;
}
