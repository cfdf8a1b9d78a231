// A figure that only plotly can draw, in a frame of its own that may not fetch anything. The program is the one that plotly for
// Python brings: the kernel sends it once for all figures of a page.
import { h } from "./dom.js";

const HEIGHT = 450; // pixels, where the description says nothing: plotly's own
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' blob:; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; worker-src blob:";
// "Share chart" would upload it
const DRAW = `addEventListener("message", ({ data: { data, layout } }) => {
  const modebar = { ...layout.modebar, remove: ["sendChartToCloud"] };
  Plotly.react("plot", data, { ...layout, modebar }, { responsive: true, displaylogo: false });
});
parent.postMessage("ready", "*");`;

function programOf(model) {
  globalThis.lmdkPlotly ??= new Promise((resolve) => {
    const receive = (message, buffers) => {
      if (message.type !== "plotly") return;
      model.off("msg:custom", receive);
      resolve(new TextDecoder().decode(buffers[0]));
    };
    model.on("msg:custom", receive);
    model.send({ type: "plotly" });
  });
  return globalThis.lmdkPlotly;
}

export class PlotlyFrame {
  constructor(model) {
    this.element = h("iframe", { class: "lmdk-plotly", sandbox: "allow-scripts allow-downloads" });
    this.ready = new Promise((resolve) => {
      const heard = ({ source, data }) => {
        if (source !== this.element.contentWindow || data !== "ready") return;
        window.removeEventListener("message", heard);
        resolve(null);
      };
      window.addEventListener("message", heard);
    });
    programOf(model).then((program) => {
      const page = `<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}"><style>body { margin: 0; }</style>`;
      this.element.srcdoc = `<!DOCTYPE html>${page}<div id="plot"></div><script>${program}</script><script>${DRAW}</script>`;
    });
  }

  async draw({ data, layout }, label) {
    this.element.title = label;
    this.element.style.height = `${layout.height ?? HEIGHT}px`;
    await this.ready;
    this.element.contentWindow?.postMessage({ data, layout }, "*");
  }
}
