// A PMTiles file as a layer of a map: its parts are read when they are seen, from a file in the browser, from the server
// that the page came from, or from the kernel. What cannot be drawn is refused in a sentence.
import { FetchSource, FileSource, PMTiles, SharedPromiseCache } from "pmtiles";
import { leafletLayer } from "protomaps-leaflet";
import { h } from "../page/dom.js";
import { L, take } from "./leaflet_given.js";

const HEADER = 127; // bytes
const ROOT_ENDS = 16_384; // the table of contents lies before this byte
const MOST_UNPACKED = 32 << 20; // bytes of a part: a small file can be made that unpacks into more than there is memory
const VERSION = 3;
const VECTOR = 1;
const PICTURES = [null, null, "image/png", "image/jpeg", "image/webp", "image/avif"];
const PACKED = ["unknown", "none", "gzip", "Brotli", "Zstandard"];
const LAYERS = ["earth", "landcover", "landuse", "water", "roads", "buildings", "boundaries", "places"]; // of Protomaps
const OWN_SOURCE = "© OpenStreetMap contributors"; // of every map of Protomaps

// given: { file } of the browser, { url } of our server, or { model } of a notebook; name: of the file; leaflet: that of the
// maps; fault(sentence): told once of tiles that cannot be read. Resolves to { layer(dark), credit, limits, remove }, or to
// { refused }, a sentence.
export async function openStreets(given, name, { leaflet, fault }) {
  take(leaflet);
  /** @type {any} */
  const source = sourceOf(given, name);
  const refused = refusalOf(name, await start(source), given.file?.size);
  const found = refused ? { refused } : await opened(source, name, once(fault));
  if (found.refused) source.remove?.();
  return found;
}

function sourceOf({ file, url, model }, name) {
  if (file) return new FileSource(file);
  return url ? new FetchSource(new URL(url, document.baseURI).href) : new KernelSource(model, name);
}

const start = async (source) => new DataView((await source.getBytes(0, HEADER)).data);

// Why a file cannot be drawn; nothing if it can, as far as its first bytes tell.
export function refusalOf(name, view, size = Infinity) {
  const magic = String.fromCharCode(...new Uint8Array(view.buffer, 0, Math.min(7, view.byteLength)));
  if (magic !== "PMTiles" || view.byteLength < 8) return `${name} is not a PMTiles file: those begin with the word PMTiles.`;
  if (view.getUint8(7) !== VERSION) return `${name} has version ${view.getUint8(7)} of PMTiles; version ${VERSION} can be read.`;
  if (view.byteLength < HEADER) return short(name, HEADER, size);
  const whole = (at) => Number(view.getBigUint64(at, true));
  const sections = [8, 24, 40, 56].map((at) => [whole(at), whole(at + 8)]);
  const end = Math.max(...sections.map(([from, length]) => from + length));
  if (end > size) return short(name, end, size);
  const [[root, length]] = sections;
  const [least, most] = [view.getUint8(100), view.getUint8(101)];
  if (root < HEADER || !length || root + length > ROOT_ENDS || least > most || most > 26 || !sections[3][1])
    return `${name} is damaged: its header contradicts itself. Copy or download it again.`;
  const [inside, tiles, kind] = [97, 98, 99].map((at) => view.getUint8(at));
  if (kind !== VECTOR && !PICTURES[kind]) return `${name} contains tiles of an unknown kind; vector tiles, PNG, JPEG, WebP and AVIF can be drawn.`;
  const packed = [inside, tiles].find((way) => way > 2);
  if (packed) return `${name} is compressed by ${PACKED[packed] ?? "an unknown method"}; gzip or no compression can be read.`;
  return "";
}

function short(name, end, size) {
  return `${name} ends too early: it says that it has ${end.toLocaleString("en")} bytes, but only ${size.toLocaleString("en")} are there. Copy or download it again.`;
}

async function opened(source, name, fault) {
  const file = new PMTiles(source, new SharedPromiseCache(100, true, contents), unpacked);
  const header = await file.getHeader().catch(() => null);
  if (!header) return { refused: `${name} is damaged: its table of contents cannot be read. Copy or download it again.` };
  /** @type {any} */
  const about = (await file.getMetadata().catch(() => null)) ?? {};
  const layers = Array.isArray(about.vector_layers) ? about.vector_layers.map((layer) => String(layer?.id)) : [];
  if (header.tileType === VECTOR && layers.length && !layers.some((id) => LAYERS.includes(id)))
    return { refused: `${name} is not a Protomaps map: its layers are called ${layers.slice(0, 5).join(", ")}, not roads and water.` };
  const sentence = `A part of ${name} cannot be read: streets are missing there.`;
  const layer = (dark) => (header.tileType === VECTOR ? vectors(file, header, dark, () => fault(sentence)) : pictures(file, header, () => fault(sentence)));
  return { layer, credit: creditOf(name, about, header), limits: limitsOf(header), remove: () => source.remove?.() };
}

const limitsOf = ({ minLat, minLon, maxLat, maxLon }) => [
  [minLat, minLon],
  [maxLat, maxLon],
];

// The makers of the map, as text: what the file says of itself may hold anything.
function creditOf(name, about, { tileType }) {
  const said = new DOMParser().parseFromString(String(about.attribution ?? ""), "text/html").body.textContent;
  const text = said.replace(/\s+/g, " ").trim().slice(0, 200);
  return h("span", {}, `${name}: ${text || (tileType === VECTOR ? OWN_SOURCE : "its maker is not stated")}`).innerHTML;
}

function vectors(file, { maxZoom }, dark, fault) {
  // colours beside which those of a track are seen; letters are the browser's own
  const layer = leafletLayer({ url: file, maxDataZoom: maxZoom, flavor: dark ? "dark" : "light", lang: "en", attribution: "" });
  for (const view of layer.views.values()) {
    const tiles = view.tileCache.source;
    const get = tiles.get.bind(tiles);
    tiles.get = (...which) =>
      get(...which).catch((error) => {
        if (error.name === "AbortError") throw error;
        fault();
        return new Map();
      });
  }
  return layer;
}

function pictures(file, { tileType, minZoom, maxZoom }, fault) {
  const type = PICTURES[tileType];
  const Layer = L.GridLayer.extend({
    createTile({ z, x, y }, done) {
      const image = L.DomUtil.create("img");
      image.alt = "";
      file
        .getZxy(z, x, y)
        .then((tile) => tile && shownIn(image, new Blob([tile.data], { type })))
        .catch(fault)
        .finally(() => done(null, image));
      return image;
    },
  });
  return new Layer({ minNativeZoom: minZoom, maxNativeZoom: maxZoom });
}

async function shownIn(image, blob) {
  const url = URL.createObjectURL(blob);
  image.src = url;
  await image.decode().finally(() => URL.revokeObjectURL(url));
}

// A table of contents: the number of its entries comes first, and each takes four bytes or more.
async function contents(bytes, way) {
  const table = await unpacked(bytes, way);
  let [count, times] = [0, 1];
  for (const byte of new Uint8Array(table, 0, Math.min(8, table.byteLength))) {
    count += (byte & 127) * times;
    times *= 128;
    if (byte < 128) break;
  }
  if (!count || 4 * count > table.byteLength) throw new Error("not a table of contents");
  return table;
}

// The bytes of a part of the file, unless they are too many.
async function unpacked(bytes, way) {
  if (way < 2) return bytes;
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  const pieces = [];
  let length = 0;
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
    length += value.length;
    if (length > MOST_UNPACKED) {
      reader.cancel();
      throw new Error("too large");
    }
    pieces.push(value);
  }
  return new Blob(pieces).arrayBuffer();
}

function once(act) {
  let told = false;
  return (...given) => {
    if (!told) act(...given);
    told = true;
  };
}

// The file of a notebook's kernel, asked for piece by piece.
class KernelSource {
  constructor(model, name) {
    this.model = model;
    this.name = name;
    this.asked = new Map();
    this.last = 0;
    this.key = Math.random().toString(36).slice(2);
    this.receive = ({ type, key, ask, refused }, buffers) => {
      const waits = type === "basemap" && key === this.key && this.asked.get(ask);
      if (!waits) return;
      this.asked.delete(ask);
      if (refused) waits.reject(new Error(refused));
      else waits.resolve({ data: new Uint8Array(buffers[0].buffer, buffers[0].byteOffset, buffers[0].byteLength).slice().buffer });
    };
    model.on("msg:custom", this.receive);
  }

  getKey() {
    return this.name;
  }

  getBytes(offset, length) {
    const ask = ++this.last;
    return new Promise((resolve, reject) => {
      this.asked.set(ask, { resolve, reject });
      this.model.send({ type: "basemap", key: this.key, ask, offset, length });
    });
  }

  remove() {
    this.model.off("msg:custom", this.receive);
  }
}
