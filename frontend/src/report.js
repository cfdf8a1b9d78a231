// Draws the charts and maps of a saved report, each once for a wide page and for paper and once for a narrow one, from the
// data in the file.
import { DARK, h } from "./page/dom.js";
import palette from "./page/palette.css";
import { svgOf } from "./page/picture.js";
import { TOO_OLD, unpacked } from "./page/unpacked.js";
import { drawMaps, STYLES } from "./still_maps.js";

// The page inside the report, once it is asked for.
for (const place of document.querySelectorAll(".enclosed")) {
  const button = place.querySelector("button");
  button.addEventListener("click", async () => {
    if (!("DecompressionStream" in window)) return place.append(TOO_OLD);
    const srcdoc = await unpacked(place.querySelector("script")).text();
    place.replaceChildren(Object.assign(document.createElement("iframe"), { title: document.title, srcdoc }));
  });
}

const WIDTHS = { wide: 680, narrow: 350 }; // pixels

for (const place of document.querySelectorAll("figure.chart")) {
  const figure = JSON.parse(place.querySelector("script").textContent);
  const words = place.querySelector("figcaption");
  for (const [name, width] of Object.entries(WIDTHS)) {
    const { text } = svgOf(figure, width);
    const drawn = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    drawn.setAttribute("role", "img");
    drawn.setAttribute("aria-label", place.querySelector("h3").textContent);
    drawn.classList.add(name);
    words.before(document.adoptNode(drawn));
  }
}
const light = [palette, ...Object.values(STYLES)].join("").replaceAll(DARK, "@media not all"); // as paper is
document.head.append(h("style", {}, light));
drawMaps(WIDTHS);
document.documentElement.dataset.drawn = "1";
