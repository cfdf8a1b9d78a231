// What is imported beside modules of JavaScript: style sheets come as text, and the types of the libraries of
// streets rest on a Leaflet with a global name.
declare module "*.css" {
  const text: string;
  export default text;
}
declare module "pmtiles";
declare module "protomaps-leaflet";
