// A static page, as a file or in a notebook's frame: draws its charts and maps once it is visible, in the notebook's theme, and
// the frame is as tall as they are.
import { drawReading } from "./page/reading_page.js";

const { body } = document;
const seen = () => new Promise((go) => new ResizeObserver(() => body.clientWidth && go(null)).observe(body)); // hidden while a kernel answers
const around = /** @type {HTMLElement | null} */ (window.frameElement);
const frame = around?.hasAttribute("srcdoc") ? around : null; // not that of a page which shows the file
const theme = frame?.ownerDocument.body.dataset.jpThemeLight;
if (theme) body.dataset.jpThemeLight = theme;
if (frame) new ResizeObserver(() => (frame.style.height = `${body.offsetHeight}px`)).observe(body);

if (!body.clientWidth) await seen();
drawReading();
