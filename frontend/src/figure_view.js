// One figure of a lesson, from a description made by Python, with the sentence that says what it shows beneath.
import leafletStyle from "leaflet/dist/leaflet.css";
import { addStyle, h, setText } from "./dom.js";
import style from "./style.css";

const NARROW = 480; // pixels

export default {
  async render({ model, el, library }) {
    const plot = h("div", { class: "lmdk-figureplot", "aria-hidden": "true" });
    const words = h("figcaption", { class: "lmdk-summary" });
    const root = h("figure", { class: "lmdk-explorer lmdk-alone lmdk-figure" }, plot, words);
    el.append(root);
    addStyle(el, leafletStyle + style); // the one sheet of all widgets: whichever is shown first brings it
    const Plotly = (await library("plotly.js")).default;
    const config = { displaylogo: false, displayModeBar: false, scrollZoom: false, staticPlot: false };
    let width = 0;
    let gone = false;

    // One drawing at a time; what changes meanwhile is drawn after it.
    let drawing = Promise.resolve();
    const draw = () => (drawing = drawing.then(paint).catch(report));
    async function paint() {
      if (gone || !width) return;
      const { data, layout } = model.get("figure");
      setText(words, model.get("summary"));
      await Plotly.react(plot, structuredClone(data), dressed(layout, root, width), config);
      root.dataset.lmdkPainted = "";
    }

    const observer = new ResizeObserver(() => {
      if (root.clientWidth === width) return;
      width = root.clientWidth;
      draw();
    });
    const dark = matchMedia("(prefers-color-scheme: dark)");
    // JupyterLab says which theme it has on the body
    const theme = new MutationObserver(draw);
    observer.observe(root);
    dark.addEventListener("change", draw);
    theme.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light"] });
    model.on("change:figure change:summary", draw);
    return () => {
      gone = true;
      observer.disconnect();
      theme.disconnect();
      dark.removeEventListener("change", draw);
      model.off("change:figure change:summary", draw);
      Plotly.purge(plot);
    };
  },
};

function report(error) {
  window.dispatchEvent(new CustomEvent("lmdk-error", { detail: "A figure could not be drawn. Reload the page." }));
  throw error;
}

// The layout in the page's colours and width.
function dressed(described, root, width) {
  const style = getComputedStyle(root);
  const colour = (name) => style.getPropertyValue(`--lmdk-${name}`).trim();
  const layout = structuredClone(described);
  const narrow = width < NARROW;
  Object.assign(layout, { width, height: layout.height ?? 340, autosize: false });
  Object.assign(layout, { paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: colour("panel") });
  layout.font = { size: 13, ...layout.font, color: colour("ink"), family: style.fontFamily };
  layout.margin = { l: narrow ? 46 : 58, r: narrow ? 8 : 14, t: 12, b: 46, ...layout.margin };
  layout.legend = { orientation: "h", x: 0, y: 1.02, yanchor: "bottom", itemclick: false, ...layout.legend };
  layout.legend.bgcolor = "rgba(0,0,0,0)";
  layout.hoverlabel = { bgcolor: colour("paper"), bordercolor: colour("line"), font: { color: colour("ink") } };
  for (const name of new Set(["xaxis", "yaxis", ...Object.keys(layout)])) {
    if (!/^[xy]axis\d*$/.test(name)) continue;
    const lines = { gridcolor: colour("grid"), zerolinecolor: colour("line"), linecolor: colour("quiet") };
    layout[name] = { fixedrange: true, automargin: true, ...layout[name], ...lines };
  }
  return layout;
}
