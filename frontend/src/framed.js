// A page that stands still in a frame of a notebook: draws its charts and maps once it is seen, and is as high as they are.
import { drawReading } from "./page/reading_page.js";
import { TOO_OLD, unpacked } from "./page/unpacked.js";

const { body } = document;
const seen = () => new Promise((go) => new ResizeObserver(() => body.clientWidth && go(null)).observe(body)); // hidden while a kernel answers
const frame = /** @type {HTMLElement | null} */ (window.frameElement);
if (frame) new ResizeObserver(() => (frame.style.height = `${body.offsetHeight}px`)).observe(body);

try {
  await seen();
  const charts = await unpacked(document.querySelector("script[data-name]")).arrayBuffer();
  const url = URL.createObjectURL(new Blob([charts], { type: "text/javascript" }));
  const { default: Plotly } = await import(url);
  await seen();
  drawReading(Plotly);
} catch (error) {
  body.append(TOO_OLD);
  throw error;
}
