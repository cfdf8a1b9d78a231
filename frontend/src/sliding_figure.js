// A figure of a lesson with sliders: the content of each stop came with it, so it is drawn immediately, with a kernel or
// without. The whole page is one link away where a server or a site opens it.
import { BlockList } from "./page/blocks.js";
import { addStyle, h, setText } from "./page/dom.js";
import { server } from "./page/server.js";
import style from "./page/style.css";
import { onTheme } from "./page/theme.js";

export default {
  render({ model, el }) {
    const { sliders, frames, opens } = model.get("shown");
    const charts = [];
    const keep = (chart) => {
      charts.push(chart);
      return chart;
    };
    const blocks = new BlockList({ keep });
    const at = sliders.map((slider) => slider.at);
    const draw = () => blocks.show(frames[at.reduce((number, k, s) => number * sliders[s].stops.length + k, 0)]);
    const rows = sliders.map((slider, s) =>
      row(slider, (k) => {
        at[s] = k;
        draw();
      }),
    );
    const page = opens && server() !== null ? [h("p", { class: "lmdk-meaning" }, h("a", { href: `${server()}?${opens}` }, "Open in the page"))] : [];
    blocks.element.className = "lmdk-slidingblocks";
    const above = h("div", { class: "lmdk-slidingrows" }, ...rows, ...page);
    const root = h("div", { class: "lmdk-explorer lmdk-alone lmdk-figureframe lmdk-slidingfigure" }, above, blocks.element);
    el.append(root);
    addStyle(el, style);
    draw();
    root.dataset.lmdkReady = "";
    const forget = onTheme(() => charts.forEach((chart) => chart.recolour()));
    return () => {
      forget();
      charts.forEach((chart) => chart.remove());
    };
  },
};

// A slider with its stop in words.
function row({ label, stops, at }, moved) {
  const said = h("b", {}, stops[at]);
  const range = h("input", {
    type: "range",
    min: "0",
    max: String(stops.length - 1),
    step: "1",
    value: String(at),
    "aria-label": label,
    "aria-valuetext": stops[at],
  });
  range.addEventListener("input", () => {
    const k = Number(range.value);
    setText(said, stops[k]);
    range.setAttribute("aria-valuetext", stops[k]);
    moved(k);
  });
  return h("div", { class: "lmdk-field lmdk-slidingrow" }, h("span", {}, `${label}: `, said), range);
}
