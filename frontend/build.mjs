// Bundles the widgets into lmdk_widgets/static: one module for each page and widget, plotly and the maps apart, so that a
// browser caches each once. A page is a folder of src with a page.js; its bundle has the folder's name.
import { readdir, readFile, writeFile } from "node:fs/promises";

import { build } from "esbuild";

const paths = await readdir(new URL("src", import.meta.url), { recursive: true });
const pages = Object.fromEntries(
  paths
    .map((path) => path.split(/[/\\]/))
    .filter(([, file]) => file === "page.js")
    .map(([name]) => [name, `src/${name}/page.js`]),
);

await build({
  entryPoints: {
    ...pages,
    dashboard: "src/dashboard.js",
    figure_view: "src/figure_view.js",
    loader: "src/loader.js",
    map: "src/map.js",
    plotly: "src/plotly.js",
    trajectory_map: "src/trajectory_map.js",
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
