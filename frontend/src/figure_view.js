// One figure of a lesson: a chart whose description and sentence are traits.
import { Chart } from "./page/chart.js";
import { addStyle, h } from "./page/dom.js";
import style from "./page/style.css";
import { onTheme } from "./page/theme.js";

const HEIGHT = 200; // pixels, where the description says nothing: a lesson is read in a few screens

export default {
  render({ model, el }) {
    const root = h("div", { class: "lmdk-explorer lmdk-alone lmdk-figureframe" });
    el.append(root);
    addStyle(el, style);
    const chart = new Chart(root);
    const draw = () => {
      const { data, layout } = model.get("figure");
      chart.draw({ data, layout: { height: HEIGHT, ...layout } }, {}, model.get("summary"));
    };
    const forget = onTheme(() => chart.recolour());
    model.on("change:figure change:summary", draw);
    draw();
    return () => {
      forget();
      model.off("change:figure change:summary", draw);
      chart.remove();
    };
  },
};
