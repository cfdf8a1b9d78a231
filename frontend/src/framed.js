// A static page in a notebook's frame: draws its charts and maps once it is visible, in the notebook's theme, and is as tall as
// they are.
import { drawReading } from "./page/reading_page.js";

const { body } = document;
const seen = () => new Promise((go) => new ResizeObserver(() => body.clientWidth && go(null)).observe(body)); // hidden while a kernel answers
const frame = /** @type {HTMLElement | null} */ (window.frameElement);
const theme = frame?.ownerDocument.body.dataset.jpThemeLight;
if (theme) body.dataset.jpThemeLight = theme;
if (frame) new ResizeObserver(() => (frame.style.height = `${body.offsetHeight}px`)).observe(body);

await seen();
drawReading();
