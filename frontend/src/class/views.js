// What the board shows of each activity: drawings, tables and sentences that Python computed.
import { bullets, h } from "../page/dom.js";
import { curves, places, strip } from "./answers.js";
import { bars } from "./bars.js";
import { frontier } from "./frontier.js";
import { plan } from "./plan.js";
import { scene, tabled } from "./scene.js";
import { slider } from "./slider.js";

// Switches that stay as they are while answers come in.
const open = { others: false, many: false };

export const VIEWS = { response, guess, poll, duel, council };

function response(view) {
  const parts = [h("p", { class: "class-big", role: "status" }, view.summary), bars(view.bars, view.summary)];
  const legend = "Bar: what was sent. Diamond and line: estimate of the true share and its 95\u00a0% interval.";
  parts.push(h("p", { class: "class-small" }, legend), switched("others", view.others), switched("many", view.many));
  return [...parts, bullets(view.notes, { class: "class-small" })];
}

function guess(view) {
  const map = plan(view.map, view);
  const legend = view.table ? "Cross: released point. Ring: true place. Square: the exact adversary's guess. Numbers in circles: guesses." : "";
  const said = [h("p", { class: "class-big", role: "status" }, view.summary), view.table ? tabled(view.table) : null];
  const words = h("div", {}, ...said, legend ? h("p", { class: "class-small" }, legend) : null, bullets(view.notes, { class: "class-small" }));
  return [h("div", { class: "class-split" }, h("div", {}, map), words)];
}

function duel(view) {
  const said = h("p", { class: "class-big", role: "status" }, view.summary);
  const notes = bullets(view.notes, { class: "class-small" });
  if (!view.chart) return [h("div", { class: "class-split" }, h("div", {}, plan(view.map)), h("div", {}, said, notes))];
  return [said, frontier(view.chart, view.summary), tabled(view.table), notes];
}

function council(view) {
  const said = h("p", { class: "class-big", role: "status" }, view.summary);
  return [said, bars(view.bars, view.summary), ...(view.table ? [tabled(view.table)] : []), bullets(view.notes, { class: "class-small" })];
}

const DRAW = { choose: barred, order: barred, number: strip, point: places, curve: curves };

function poll(view, now) {
  return [
    ...scene(view.about),
    h("p", { class: "class-big", role: "status" }, view.summary),
    DRAW[view.draw](view),
    bullets(view.notes ?? [], { class: "class-small" }),
    ...(view.figure ? [slider(view.figure, now.round)] : []),
  ];
}

function barred(view) {
  return bars(view.bars, view.summary);
}

function switched(name, table) {
  const toggle = (event) => (open[name] = event.target.open);
  return h("details", { open: open[name], ontoggle: toggle, class: "class-more" }, h("summary", {}, table.title), tabled(table));
}
