// What is imported beside modules of JavaScript: style sheets come as text, plotly's bundle has no types of its own, and those of
// the libraries of streets rest on a Leaflet with a global name.
declare module "*.css" {
  const text: string;
  export default text;
}
declare module "plotly.js-basic-dist-min";
declare module "pmtiles";
declare module "protomaps-leaflet";
interface Window {
  Plotly: typeof import("plotly.js-basic-dist-min"); // where its bundle stands in a saved report
}
