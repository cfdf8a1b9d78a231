// A chart as a picture of its own, in light colours whatever the page has: for a report, and for files of SVG and PNG.
import { measureIn } from "./chart.js";
import { figureSvg } from "./figure.js";
import { PICTURE } from "./palette.js";

const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";
const LOOK = { colour: (name) => PICTURE[name], size: 1, family: FONT };
const WIDTH = 900; // pixels of a file
const LEAST = 480; // pixels of a file of a canvas, for its note
const SHARP = 2; // pixels of a PNG for one of them
let made = 0;

// SVG as text; more: the title above it and the note below.
export function svgOf(figure, width, more = {}) {
  return figureSvg(figure, LOOK, width, { measure: measureIn(FONT), prefix: `p${++made}-`, ...more });
}

// What is drawn on a canvas, as an SVG with the same title and note.
function svgAround(canvas, more) {
  const [width, high] = [Number.parseFloat(canvas.style.width), canvas.height / canvas.width];
  const wide = Math.max(LEAST, width);
  const drawing = svgOf({ data: [], layout: { height: width * high } }, wide, more);
  const image = `<image x="${(wide - width) / 2}" y="${drawing.head}" width="${width}" height="${width * high}" href="${canvas.toDataURL("image/png")}"/>`;
  return { ...drawing, text: drawing.text.replace(/(<svg[^>]*>)/, `$1${image}`) };
}

// A file's bytes: the chart, { figure } or { canvas }, below its title and above a note that says what it is.
export async function fileOf({ title, figure = null, canvas: drawn = null }, note, format) {
  const { text, width, height } = drawn ? svgAround(drawn, { title, note }) : svgOf(figure, WIDTH, { title, note });
  const ground = `<rect width="100%" height="100%" fill="${PICTURE.paper}"/>`;
  const svg = text.replace(/(<svg[^>]*>)/, `$1${ground}`);
  if (format === "svg") return svg;
  const picture = new Image(width * SHARP, height * SHARP);
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await picture.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: width * SHARP, height: height * SHARP });
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  return new Uint8Array(await blob.arrayBuffer());
}
