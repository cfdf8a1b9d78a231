// Writes plotly_notices.txt: the licences of what plotly's basic bundle contains, which its package does not name.
// Once for each version of plotly:  npm install --ignore-scripts plotly.js@VERSION  in some folder, then
//   node plotly_notices.mjs FOLDER
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { build } from "esbuild";

const folder = process.argv[2];
const inputs = await build({
  entryPoints: [join(folder, "node_modules/plotly.js/lib/index-basic.js")],
  bundle: true,
  minify: true,
  write: false,
  metafile: true,
  logLevel: "error",
  loader: { ".css": "text" },
}).then(({ metafile }) => Object.values(metafile.outputs)[0].inputs);

const packages = Object.entries(inputs)
  .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
  .map(([path]) => path.match(/.*node_modules\/((?:@[^/]+\/)?[^/]+)/)[1]);

const parts = [];
for (const name of [...new Set(packages)].sort()) {
  const place = join(folder, "node_modules", name);
  const about = JSON.parse(await readFile(join(place, "package.json"), "utf-8"));
  const file = (await readdir(place)).find((one) => /^(licen[cs]e|copying)/i.test(one));
  const author = typeof about.author === "string" ? about.author : about.author?.name;
  const text = file ? await readFile(join(place, file), "utf-8") : `${about.license} licence, © ${author}. The package holds no text of it.`;
  const title = `${name} ${about.version} (${about.license})`;
  parts.push(`${title}\n${"-".repeat(title.length)}\n\n${text.trim()}\n`);
}
await writeFile(new URL("plotly_notices.txt", import.meta.url), parts.join("\n\n"));
