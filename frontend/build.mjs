// Bundles the widgets into lmdk_widgets/static: one module for each page and widget, the maps apart, so that a browser
// caches them once. A page is a folder of src with a page.js; its bundle has the folder's name.
import { readdir, readFile, writeFile } from "node:fs/promises";

import { build, transform } from "esbuild";

// Style sheets travel as text in the bundles: without their comments and blanks, and flat, as browsers that know
// container queries need not know nested rules.
const BROWSERS = ["chrome111", "firefox113", "safari16.2"];
const styles = {
  name: "styles",
  setup(building) {
    building.onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, "utf-8"), { loader: "css", minifyWhitespace: true, target: BROWSERS, legalComments: "none" });
      return { contents: code, loader: "text" };
    });
  },
};

const paths = await readdir(new URL("src", import.meta.url), { recursive: true });
const pages = Object.fromEntries(
  paths
    .map((path) => path.split(/[/\\]/))
    .filter(([, file]) => file === "page.js")
    .map(([name]) => [name, `src/${name}/page.js`]),
);

const modules = {
  outdir: "../lmdk_widgets/static",
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  legalComments: "none",
};

await build({
  entryPoints: {
    ...pages,
    answers: "src/answers.js",
    class_board: "src/class/board.js",
    class_overview: "src/class/overview.js",
    class_phone: "src/class/phone.js",
    columns: "src/page/columns.js",
    dashboard: "src/dashboard.js",
    figure_view: "src/figure_view.js",
    sliding_figure: "src/sliding_figure.js",
    guarantee: "src/guarantee.js",
    lesson_text: "src/lesson_text.js",
    live: "src/live.js",
    live_lesson: "src/live_lesson.js",
    live_offline: "src/live/offline.js",
    live_worker: "src/live/worker.js",
    loader: "src/loader.js",
    map: "src/map.js",
    question: "src/question.js",
    reading: "src/reading.js",
    report: "src/report.js",
    trajectory_map: "src/trajectory_map.js",
    what_if: "src/what_if.js",
    what_if_panel: "src/page/what_if_panel.js",
  },
  ...modules,
  loader: { ".png": "empty" },
  plugins: [styles],
  logLevel: "warning",
});

// The site has no kernel: one script draws the figures of its lessons, also where it is opened as a file.
await build({ entryPoints: ["src/site.js"], outfile: "../build/site.js", bundle: true, target: "es2022", minify: true, loader: { ".css": "text" } });

// Exported maps inline Leaflet as it is; the licence goes along, as an exported page has nowhere else to keep it.
const leaflet = (path) => readFile(new URL(`node_modules/leaflet/${path}`, import.meta.url), "utf-8");
const licence = `/*!\n${await leaflet("LICENSE")}*/\n`;
for (const name of ["leaflet.js", "leaflet.css"]) {
  await writeFile(new URL(`../lmdk_widgets/static/${name}`, import.meta.url), licence + (await leaflet(`dist/${name}`)));
}

// Streets of a file: a bundle that the maps load when there is one. Leaflet stays in the bundle of the maps.
await build({
  entryPoints: ["src/streets.js"],
  ...modules,
  inject: ["src/map/leaflet_given.js"],
  plugins: [styles],
});
