// What is under the pointer in a chart, and its readout: by the description's template, or the values with their axes.
import { amountOf } from "./axis.js";
import { linesOf } from "./symbols.js";

const NEAR = 22; // pixels from a point, at most

// The nearest point or the bar that the pointer is in; null where there is none.
export function nearestPoint(points, x, y, traces) {
  let [best, least] = [null, NEAR];
  for (const point of points) {
    if (traces[point.trace]?.hoverinfo === "skip") continue;
    const far = point.box ? outside(point.box, x, y) : Math.hypot(point.x - x, point.y - y) - Math.min(point.r ?? 0, 8);
    if (far < least || (far === least && !point.box)) [best, least] = [point, far];
  }
  return best;
}

const outside = ([left, top, width, height], x, y) => (x >= left && x <= left + width && y >= top - 6 && y <= top + height + 6 ? 6 : Infinity);

// The lines of a point's readout.
export function saidOf(trace, { index }, axes) {
  const at = (key) => (Array.isArray(trace[key]) ? trace[key][index] : trace[key]);
  if (trace.hovertemplate) {
    const text = at("hovertemplate")
      .replace(/<extra>.*?<\/extra>/g, "")
      .replace(/%\{(\w+)(?::([^}]*))?\}/g, (_, key, format) => written(at(key), format));
    return linesOf(text).filter(Boolean);
  }
  if (trace.hoverinfo === "text") return linesOf(at("hovertext") ?? at("text"));
  const value = (v) => (typeof v === "number" ? amountOf(Number(v.toPrecision(5))) : String(v ?? ""));
  const titled = (axis) => axis?.described.title?.text;
  const name = trace.name ? [linesOf(trace.name).join(" ")] : [];
  const text = at("hovertext") ?? (trace.mode?.includes("text") ? undefined : at("text"));
  const both = [
    titled(axes.x) ? `${titled(axes.x)}: ${value(at("x"))}` : value(at("x")),
    titled(axes.y) ? `${titled(axes.y)}: ${value(at("y"))}` : value(at("y")),
  ];
  return [...name, ...(trace.hoverinfo === "y" ? both.slice(1) : both), ...(text ? linesOf(text) : [])];
}

// A value by the few formats that descriptions use: ".3g", ".2f", ".0f", ",", ".1%".
export function written(v, format = "") {
  if (typeof v !== "number") return String(v ?? "");
  const [, digits, kind] = format.match(/^,?\.?(\d*)([gf%]?)$/) ?? [];
  if (kind === "g") return amountOf(Number(v.toPrecision(Number(digits || 6))));
  if (kind === "f") return amountOf(v, Number(digits || 6));
  if (kind === "%") return `${(100 * v).toFixed(Number(digits || 0))} %`;
  return amountOf(Number(v.toPrecision(6)));
}
