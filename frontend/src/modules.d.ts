// What is imported beside modules of JavaScript: style sheets come as text, plotly's bundle has no types of its own.
declare module "*.css" {
  const text: string;
  export default text;
}
declare module "plotly.js-basic-dist-min";
interface Window {
  Plotly: typeof import("plotly.js-basic-dist-min"); // where its bundle stands in a saved report
}
