// Shares of answers as bars, and what they tell about the true shares: an estimate with its interval, all computed in Python.
import { h, svg } from "../page/dom.js";

const WIDTH = 1000;
const ROW = 86;
const TOP = 34;

export function bars(rows, label) {
  if (!rows.length) return h("p", { class: "class-wait" }, "Nobody has answered yet.");
  const low = Math.min(0, ...rows.map((row) => row.estimate ?? 0));
  const high = Math.max(1, ...rows.map((row) => row.estimate ?? 1));
  const x = (share) => 10 + ((share - low) / (high - low)) * (WIDTH - 20);
  const frame = svg("svg", { viewBox: `0 0 ${WIDTH} ${TOP + ROW * rows.length}`, class: "class-bars", role: "img", "aria-label": label });
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    frame.append(svg("line", { x1: x(share), x2: x(share), y1: TOP - 6, y2: TOP + ROW * rows.length, class: "class-tick" }));
    frame.append(svg("text", { x: x(share), y: TOP - 12, "text-anchor": anchor(share), class: "class-scale" }, `${100 * share} %`));
  }
  for (const [k, row] of rows.entries()) frame.append(...drawn(row, TOP + ROW * k, x));
  return frame;
}

const anchor = (share) => ({ 0: "start", 1: "end" })[share] ?? "middle";

function drawn(row, top, x) {
  const parts = [
    svg("text", { x: x(0), y: top + 22, class: "class-barname" }, `${row.right ? "✓ " : ""}${row.name}: ${row.said}`),
    svg("rect", { x: x(0), y: top + 32, width: x(row.share) - x(0), height: 26, class: row.right ? "class-bar class-right" : "class-bar" }),
  ];
  if (row.estimate === undefined) return parts;
  const y = top + 68;
  const [from, to, at] = [x(row.low), x(row.high), x(row.estimate)];
  parts.push(svg("path", { d: `M${from} ${y - 7}v14M${to} ${y - 7}v14M${from} ${y}H${to}`, class: "class-interval" }));
  parts.push(svg("path", { d: `M${at} ${y - 10}l10 10l-10 10l-10-10z`, class: "class-estimate" }));
  return parts;
}
