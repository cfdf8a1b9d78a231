// What part of the time is shown, in words, with a button that shows everything again; nothing while everything is shown.
import { button, h, setText } from "./dom.js";
import { clock, shortDay } from "./format.js";

export class SpanBar {
  constructor(reset) {
    this.text = h("span", {});
    this.element = h("p", { class: "lmdk-spanbar", role: "status", hidden: true }, this.text, " ", button("Show all", reset));
  }

  show(span, { n, time, name }) {
    this.element.hidden = !span;
    if (!span) return;
    const [first, last] = span.map((at) => time[at]);
    const day = (at) => (shortDay(first) === shortDay(last) && at === last ? "" : ` ${shortDay(at)}`);
    const when = time.length ? [first, last].map((at) => `${clock(at)}${day(at)}`) : span.map(name);
    setText(this.text, `Shown: ${(span[1] - span[0] + 1).toLocaleString("en")} of ${n.toLocaleString("en")} timestamps, ${when[0]} to ${when[1]}.`);
  }
}
