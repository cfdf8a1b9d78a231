export { default } from "plotly.js-basic-dist-min";
