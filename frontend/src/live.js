// The dashboard of a site, over Python in this browser, and that of a room, over Python on its server. On a site each page is
// drawn as it begins, from a recording, and Python takes over as soon as it is loaded.

import { Engine } from "./live/engine.js";
import css from "./live/live.css";
import { PageModel } from "./live/model.js";
import { forgetButton, library, SERVED, site, workerOf } from "./live/place.js";
import { addStyle, h, setText } from "./page/dom.js";

const SAID = {
  loading: "This page shows its first settings. Python is being loaded into your browser; your changes are computed once it is ready.",
  ready: "Everything is computed in your browser. A file that you open here never leaves it.",
  kept: "Everything is computed in your browser, even without a network. A file that you open here never leaves it.",
  failed: "Python does not run in this browser, so each page keeps its first settings; an up-to-date browser computes every setting.",
};

const place = document.querySelector("#page");
const line = h("p", { class: "lmdk-live", role: "status" });
const engine = new Engine(workerOf, site.code, told);

function told(state, reason) {
  line.dataset.state = state;
  setText(line, site.served ? SERVED[reason ?? state] : SAID[state]);
  line.hidden = !line.textContent;
  if (site.served) return;
  if (reason) console.warn(`Python does not run here: ${reason}`);
  if (state === "ready") keep();
}

// For visits without a network, once nothing else has to be loaded.
async function keep() {
  if (!navigator.serviceWorker) return; // browsers only have it for encrypted addresses
  try {
    await navigator.serviceWorker.register("sw.js");
    await navigator.serviceWorker.ready;
    told("kept");
  } catch (error) {
    console.warn(`The pages are not kept for visits without a network: ${error}`);
  }
}

// What the address sets on a page: if it sets nothing, there is nothing to wait for.
function isSet(name, opened) {
  const given = new URLSearchParams(window.location.search);
  if (name !== opened) return given.has(`other.${name}`);
  return [...given.keys()].some((key) => key !== "page" && !key.startsWith("other."));
}

async function pageOf(name, opened) {
  const page = site.pages[name];
  const [first, module] = await Promise.all([page.first ?? fetch(`first/${name}.json`).then((answer) => answer.json()), library(page.module)]);
  const model = new PageModel(engine, name, first, first.messages.length > 0 && !isSet(name, opened));
  if (page.python) engine.open(model, { do: "open", python: page.python, needs: page.needs, query: window.location.search.slice(1) });
  return {
    render: ({ el }) => {
      module.default.render({ model, el, library });
      if (name === "lessons" && site.stories.length) el.append(stories());
    },
  };
}

function stories() {
  const links = site.stories.map(([file, title]) => h("a", { href: file }, title));
  return h("p", { class: "lmdk-live" }, "To read, without questions: ", ...links);
}

// The dashboard asks for a page by its name, and opens another by setting one.
function dashboardModel() {
  const traits = { _titles: site.titles, _apart: site.apart, _pages: Object.fromEntries(site.titles.map(([name]) => [name, name])) };
  traits.page = traits._pages[asked()] ?? site.titles[0][0];
  return {
    get: (name) => traits[name],
    set: (name, value) => (traits[name] = value),
    save_changes() {},
    on() {},
    off() {},
  };
}

const asked = () => new URLSearchParams(window.location.search).get("page");

const model = dashboardModel();
const opened = model.get("page");
const { default: dashboard } = await library("dashboard.js");
place.replaceChildren(line);
addStyle(line, css, "live");
told(engine.state);
const el = place.appendChild(h("div", {}));
if (site.served) place.append(forgetButton(engine));
dashboard.render({ model, el, host: { getWidget: (name) => pageOf(name, opened) } });
