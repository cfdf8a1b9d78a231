// A chart as a picture of its own, in light colours whatever the page has: for a report, and for files of SVG and PNG.
import { dressed } from "./chart.js";

const LIGHT = { ink: "#16202c", paper: "#ffffff", panel: "#f7f8fa", quiet: "#4b5766", line: "#c9d0d8", grid: "#dfe3e8" };
const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";
const LOOK = { colour: (name) => LIGHT[name], size: 1, family: FONT };
const WIDTH = 900; // pixels of a file
const TITLE = 46;
const FOOT = 26; // pixels

// SVG as text.
export function svgOf(Plotly, { data, layout }, width) {
  const look = dressed(layout, LOOK, width);
  return Plotly.toImage({ data, layout: look, config: { staticPlot: true } }, { format: "svg", width, height: look.height, imageDataOnly: true });
}

// A file's bytes: the chart under its title, over the note that says what it is.
export async function fileOf(Plotly, { title, figure }, note, format) {
  const look = dressed(figure.layout, LOOK, WIDTH);
  const margin = { ...look.margin, t: look.margin.t + TITLE, b: look.margin.b + FOOT };
  const height = look.height + TITLE + FOOT;
  const head = { text: title, x: 0.012, xanchor: "left", y: 1 - 18 / height, yanchor: "middle", yref: "container", font: { size: 17, color: LIGHT.ink } };
  const foot = { text: note, x: 0.012, xref: "paper", y: 0, yref: "paper", yanchor: "top", showarrow: false, font: { size: 12, color: LIGHT.quiet } };
  Object.assign(foot, { x: 0, xanchor: "left", yshift: -(margin.b - FOOT) });
  const layout = { ...look, height, margin, paper_bgcolor: LIGHT.paper, title: head, annotations: [...(look.annotations ?? []), foot] };
  const options = { format, width: WIDTH, height, scale: format === "png" ? 2 : 1 };
  const address = await Plotly.toImage({ data: figure.data, layout, config: { staticPlot: true } }, options);
  const [head64, body] = address.split(/,(.*)/s);
  return head64.endsWith(";base64") ? Uint8Array.from(atob(body), (letter) => letter.charCodeAt(0)) : decodeURIComponent(body);
}
