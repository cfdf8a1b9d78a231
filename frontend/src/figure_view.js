// One figure of a lesson: a chart whose description and sentence are traits; plotly draws what the page's charts cannot.
import { Chart } from "./page/chart.js";
import { addStyle, h, setText } from "./page/dom.js";
import { PlotlyFrame } from "./page/plotly_frame.js";
import style from "./page/style.css";
import { onTheme } from "./page/theme.js";

const HEIGHT = 200; // pixels, where the description says nothing: a lesson is read in a few screens
const OURS = ["scatter", "bar"]; // DRAWN of lmdk_widgets/page/drawing.py

export default {
  render({ model, el }) {
    const root = h("div", { class: "lmdk-explorer lmdk-alone lmdk-figureframe" });
    el.append(root);
    addStyle(el, style);
    const chart = new Chart(root);
    /** @type {PlotlyFrame | null} */
    let theirs = null;
    const draw = () => {
      const { data, layout } = model.get("figure");
      const summary = model.get("summary");
      const ours = data.every(({ type = "scatter" }) => OURS.includes(type));
      chart.plot.hidden = !ours;
      if (theirs) theirs.element.hidden = ours;
      if (ours) return chart.draw({ data, layout: { height: HEIGHT, ...layout } }, {}, summary);
      chart.next = null;
      if (!theirs) chart.element.prepend((theirs = new PlotlyFrame(model)).element);
      setText(chart.words, summary);
      theirs.draw({ data, layout }, summary);
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
