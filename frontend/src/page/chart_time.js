// A chart over time takes part in what all views of a page show: a drag shows a part of the time, a double click all of it, and the
// timestamp under the pointer has its line and its readout in each of them. Timestamps on its axis are counted from 1.
import { h } from "./dom.js";
import { spanned } from "./span.js";

const STILL = 4; // pixels: a shorter drag is a click

// Drags and double clicks along what shows time. element: where; at({ clientX }): the place there on the axis, counted from 0, which
// need not be whole; act: { look(span), count() }
export class TimeBrush {
  constructor(element, at, act) {
    this.at = at;
    this.act = act;
    this.band = h("div", { class: "lmdk-zoomband", hidden: true });
    this.element = element;
    this.dragged = false; // the click that ends a drag is none
    element.classList.add("lmdk-timed");
    element.append(this.band);
    element.addEventListener("pointerdown", (event) => event.button === 0 && this.press(event));
    element.addEventListener("dblclick", () => act.look(null));
    element.addEventListener("click", (event) => this.dragged && event.stopImmediatePropagation(), true);
  }

  press(down) {
    this.dragged = false;
    const far = ({ clientX }) => Math.abs(clientX - down.clientX) > STILL;
    const move = (event) => {
      this.dragged ||= far(event);
      if (this.dragged) this.show(down.clientX, event.clientX);
    };
    const up = (event) => {
      end();
      const span = this.dragged && spanned(this.at(down), this.at(event), this.act.count());
      if (span) this.act.look(span);
    };
    const end = () => {
      this.band.hidden = true;
      for (const [name, act] of Object.entries(heard)) window.removeEventListener(name, act, true);
    };
    const heard = { pointermove: move, pointerup: up, pointercancel: end };
    for (const [name, act] of Object.entries(heard)) window.addEventListener(name, act, true);
  }

  show(...ends) {
    const { left, width } = this.element.getBoundingClientRect();
    const [from, to] = ends.map((x) => Math.max(0, Math.min(width, x - left))).sort((a, b) => a - b);
    this.band.hidden = false;
    Object.assign(this.band.style, { left: `${from}px`, width: `${to - from}px`, top: "0", height: "100%" });
  }
}

export class ChartTime {
  // chart: whose first trace has a point for each timestamp; act: { look(span), hover(index), count() }
  constructor(chart, act) {
    this.chart = chart;
    chart.time = this;
    this.line = h("div", { class: "lmdk-hoverline", hidden: true });
    this.brush = new TimeBrush(chart.plot, ({ clientX }) => this.at(clientX), act);
    chart.plot.addEventListener("pointermove", (event) => event.pointerType === "mouse" && !event.buttons && act.hover(this.index(event)));
    chart.plot.addEventListener("pointerleave", () => act.hover(-1));
  }

  at(clientX) {
    return this.chart.drawn.axes.xaxis.back(clientX - this.chart.plot.getBoundingClientRect().left) - 1;
  }

  // The timestamp under the pointer, or -1 beside the axes.
  index({ clientX }) {
    if (!this.chart.drawn) return -1;
    const { offset, length } = this.chart.drawn.axes.xaxis;
    const x = clientX - this.chart.plot.getBoundingClientRect().left;
    return x < offset || x > offset + length ? -1 : Math.round(this.at(clientX));
  }

  setSpan(span) {
    this.range = span && [span[0] + 0.5, span[1] + 1.5];
    this.chart.recolour();
  }

  // What is drawn has changed.
  drawn() {
    this.chart.plot.append(this.line, this.brush.band);
    this.point(-1);
  }

  point(index) {
    const { drawn } = this.chart;
    const found = index < 0 ? null : (drawn?.points.find((point) => point.trace === 0 && point.index === index) ?? null);
    this.chart.point(found);
    this.line.hidden = !found;
    if (!found) return;
    const { offset, length } = drawn.axes.yaxis;
    Object.assign(this.line.style, { transform: `translateX(${found.x}px)`, top: `${offset}px`, height: `${length}px` });
  }
}
