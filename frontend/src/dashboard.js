// The dashboard: a bar of pages, each a widget of its own that the kernel makes when the page is first opened. Lessons
// and studies are set apart, as they are not pages to try settings on. Where the bar is narrow, a button opens the list of pages.
import css from "./dashboard.css";
import { Address, hasAddress } from "./page/address.js";
import { fill } from "./page/child.js";
import { addStyle, button, closedFromOutside, h, setText } from "./page/dom.js";
import { takesPages } from "./page/handed.js";
import { sent } from "./page/kept.js";

export default {
  render({ model, el, host }) {
    const titles = model.get("_titles");
    const shown = new Map();
    const apart = model.get("_apart");
    const present = h("summary", { "aria-label": "Pages" });
    const list = h("nav", { class: "lmdk-nav", "aria-label": "Pages" });
    const narrow = h("details", { class: "lmdk-pages" }, present, h("div", { class: "lmdk-pagelist" }));
    const bar = h("div", { class: "lmdk-topbar" }, h("span", { class: "lmdk-name" }, "lmdk"), narrow, list);
    const forget = closedFromOutside([narrow]);
    const stage = h("div", { class: "lmdk-stage" });
    el.append(h("div", { class: "lmdk-dashboard" }, bar, stage));
    addStyle(el, css, "dashboard");

    const address = hasAddress(stage) ? new Address(titles, model.get("page"), open) : null;
    stage.addEventListener("lmdk-settings", (event) => {
      const page = [...shown].find(([, box]) => box.contains(event.target));
      if (page) address?.settings(page[0], event.detail);
    });
    const link = (mark, [name, title]) => button(title, () => open(name), { [mark]: name, class: apart.includes(name) ? "lmdk-apart" : "" });
    const ordered = [...titles.filter(([name]) => !apart.includes(name)), ...titles.filter(([name]) => apart.includes(name))];
    list.append(...ordered.map((each) => link("data-page", each)));
    narrow.lastChild.append(...ordered.map((each) => link("data-to", each)));

    // A page that does not exist yet is requested from the kernel; it comes with the trait.
    function open(name) {
      narrow.open = false; // not as the page comes: the list may be open again by then
      model.set("page", name);
      sent(() => model.save_changes());
      show();
    }

    function show() {
      const name = model.get("page");
      if (address && address.open !== name) address.go(name);
      for (const item of [...list.children, ...narrow.lastChild.children]) item.ariaCurrent = (item.dataset.page ?? item.dataset.to) === name ? "page" : null;
      setText(present, new Map(titles).get(name));
      document.title = `${new Map(titles).get(name)} · lmdk`;
      if (!shown.has(name)) shown.set(name, stage.appendChild(h("div", {}, h("p", { class: "lmdk-wait", role: "status" }, "Preparing the page …"))));
      for (const [other, box] of shown) box.hidden = other !== name;
      fill(shown.get(name), model.get("_pages")[name], host);
    }

    const forgetPages = takesPages((name) => {
      open(name);
      bar.scrollIntoView({ block: "start" }); // the page before may have been read down to its end
    });
    model.on("change:_pages change:page", show);
    show();
    return () => {
      model.off("change:_pages change:page", show);
      address?.remove();
      forget();
      forgetPages();
    };
  },
};
