// The page in one file: unpacks the recording and the page's own bundles, which are in the document, and lets the page
// run with a player instead of its kernel.
import { TOO_OLD, unpacked } from "./page/unpacked.js";
import { Player } from "./what_if/player.js";
import { Recording } from "./what_if/recording.js";

const held = async (name) => unpacked(document.querySelector(`script[data-name="${name}"]`)).arrayBuffer();

const loaded = new Map();

function library(name) {
  if (!loaded.has(name)) loaded.set(name, load(name));
  return loaded.get(name);
}

async function load(name) {
  const url = URL.createObjectURL(new Blob([await held(name)], { type: "text/javascript" }));
  return import(url);
}

const place = document.querySelector("#page");
try {
  const recording = new Recording(await held("recording"));
  const [page] = recording.index.programs;
  for (const name of recording.index.programs) library(name);
  const { default: widget } = await library(page);
  await widget.render({ model: new Player(recording), el: place, library });
} catch (error) {
  place.textContent = TOO_OLD;
  throw error;
}
