// The dashboard: a row of pages, each a widget of its own that the kernel makes when the page is first opened.
import css from "./dashboard.css";
import { Address, hasAddress } from "./page/address.js";
import { fill } from "./page/child.js";
import { addStyle, button, h } from "./page/dom.js";
import { sent } from "./page/kept.js";

export default {
  render({ model, el, host }) {
    const titles = model.get("_titles");
    const shown = new Map();
    const bar = h("nav", { class: "lmdk-nav", "aria-label": "Pages" });
    const stage = h("div", { class: "lmdk-stage" });
    el.append(h("div", { class: "lmdk-dashboard" }, bar, stage));
    addStyle(el, css, "dashboard");

    const address = hasAddress(stage) ? new Address(titles, model.get("page"), open) : null;
    stage.addEventListener("lmdk-settings", (event) => {
      const page = [...shown].find(([, box]) => box.contains(event.target));
      if (page) address?.settings(page[0], event.detail);
    });
    bar.append(...titles.map(([name, title]) => button(title, () => open(name), { "data-page": name })));

    // A page that is not there yet is asked of the kernel; it comes with the trait.
    function open(name) {
      model.set("page", name);
      sent(() => model.save_changes());
      show();
    }

    function show() {
      const name = model.get("page");
      if (address && address.open !== name) address.go(name);
      for (const item of bar.children) item.ariaCurrent = item.dataset.page === name ? "page" : null;
      document.title = `${new Map(titles).get(name)} · lmdk`;
      if (!shown.has(name)) shown.set(name, stage.appendChild(h("div", {}, h("p", { class: "lmdk-wait", role: "status" }, "Preparing the page …"))));
      for (const [other, box] of shown) box.hidden = other !== name;
      fill(shown.get(name), model.get("_pages")[name], host);
    }

    model.on("change:_pages change:page", show);
    show();
    return () => {
      model.off("change:_pages change:page", show);
      address?.remove();
    };
  },
};
