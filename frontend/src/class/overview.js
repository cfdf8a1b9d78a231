// The overview for the person who runs the server: the address to hand out, who is on, and how much memory is left.
import { h, setText } from "../page/dom.js";
import { address, follow, LOST } from "./wire.js";

const SCARCE = "Little memory is left on this machine: pages may stop. Let fewer people in: start the server with a smaller --people.";
const FULL = "All pages are taken. Anyone who comes now is told so, and gets a page as soon as someone leaves.";

const opens = document.body.dataset.address;
const main = document.querySelector("main");
const notice = (text) => h("p", { class: "class-notice", role: "alert", hidden: true }, text);
const [lost, scarce, full] = [LOST, SCARCE, FULL].map(notice);
const handed = h(
  "section",
  { class: "class-join", "aria-label": "Address to hand out" },
  h("img", { src: address("overview/code.svg"), alt: `QR code of ${opens}`, width: 240, height: 240 }),
  h("div", {}, h("h1", {}, "Open this address"), h("p", { class: "class-address" }, opens)),
);
const names = ["People", "Pages open", "Memory used", "Memory free"];
const values = names.map(() => h("dd", {}, "…"));
const counted = h("dl", { class: "class-counts" }, ...names.map((name, k) => h("div", {}, h("dt", {}, name), values[k])));
const said = h("p", { class: "class-small" }, "People: browsers with a page. A few processes on this machine compute all pages.");

function show({ people, pages, most, memory, scarce: little }) {
  const texts = [`${people}`, `${pages} of ${most}`, memory.used ?? "…", memory.free ?? "…"];
  for (const [k, text] of texts.entries()) setText(values[k], text);
  full.hidden = pages < most;
  scarce.hidden = !little;
}

main.replaceChildren(lost, scarce, full, handed, h("section", { "aria-label": "Who is on" }, counted, said));
follow("overview/stream", show, (gone) => (lost.hidden = !gone));
