// Bundles the widgets into lmdk_widgets/static: one module a widget, plotly apart so that a browser caches it once.
import { readFile, writeFile } from "node:fs/promises";

import { build } from "esbuild";

await build({
  entryPoints: {
    dashboard: "src/dashboard.js",
    explorer: "src/explorer.js",
    places: "src/places.js",
    quilts: "src/quilts.js",
    trajectory_map: "src/trajectory_map.js",
    figure_view: "src/figure_view.js",
    plotly: "src/plotly.js",
    loader: "src/loader.js",
  },
  outdir: "../lmdk_widgets/static",
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  legalComments: "none",
  loader: { ".css": "text", ".png": "empty" },
  logLevel: "warning",
});

// Exported maps inline Leaflet as it is; the licence goes along, as an exported page has nowhere else to keep it.
const leaflet = (path) => readFile(new URL(`node_modules/leaflet/${path}`, import.meta.url), "utf-8");
const licence = `/*!\n${await leaflet("LICENSE")}*/\n`;
for (const name of ["leaflet.js", "leaflet.css"]) {
  await writeFile(new URL(`../lmdk_widgets/static/${name}`, import.meta.url), licence + (await leaflet(`dist/${name}`)));
}
