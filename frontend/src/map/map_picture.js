// A map as a picture: what its layer draws, the arrows at its rim and its scale, in light colours and without streets.
import { blank, paint, path, write } from "../page/canvas.js";
import { PICTURE } from "../page/palette.js";
import { FONT } from "./names.js";
import { drawArrows } from "./rim.js";
import { lightPalette } from "./scale.js";

const FOOT = 22; // pixels of the scale above the lower rim

// A canvas.
export function mapPicture({ layer, map, box, seen }) {
  const { x: width, y: height } = map.getSize();
  const drawn = new Map();
  const looks = { colours: PICTURE, palette: lightPalette(box), streets: false, hovered: -1, cursor: -1, box: null };
  const emptied = (canvas) => {
    drawn.set(canvas, blank(width, height));
    return drawn.get(canvas);
  };
  const twin = Object.assign(Object.create(layer), { seen: { ...seen, ...looks }, emptied });
  twin.draw();
  const whole = blank(width, height);
  paint(whole, { fill: PICTURE.panel }, 0, 0, width, height);
  const [below, under, ...over] = layer.canvases.map((canvas) => drawn.get(canvas)?.canvas);
  const lay = (canvas) => canvas && whole.drawImage(canvas, 0, 0, width, height);
  for (const canvas of [below, under]) lay(canvas);
  if (layer.rim) drawArrows(whole, layer.rim.arrows, seen.size);
  for (const canvas of over) lay(canvas);
  drawScale(whole, box.querySelector(".leaflet-control-scale-line"), height, seen.size);
  return whole.canvas;
}

// The bar that Leaflet shows, as long as it is there.
function drawScale(context, line, height, size) {
  if (!line?.offsetWidth) return;
  const [left, bottom, long] = [10, height - FOOT, line.offsetWidth];
  path(context, left, bottom - 6, left, bottom, left + long, bottom, left + long, bottom - 6);
  paint(context, { stroke: PICTURE.ink, width: 1.5 });
  write(context, line.textContent, left + 5, bottom - 5, { font: FONT("", 11, size), fillStyle: PICTURE.ink, strokeStyle: PICTURE.panel, textAlign: "left" });
}
