// Bundles the widgets into lmdk_widgets/static: one module a widget, plotly apart so that a browser caches it once.
import { build } from "esbuild";

await build({
  entryPoints: {
    explorer: "src/explorer.js",
    trajectory_map: "src/trajectory_map.js",
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
