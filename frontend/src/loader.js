// The small module that every widget sends. The real one, named by the widget, comes over HTTP where the page says from
// where (the browser then caches it for the whole class), and from the kernel elsewhere, as in JupyterLab.

const PATIENCE = 15_000; // ms
const NOBODY =
  "Python has not answered yet: if this notebook's kernel does not run, run the cell again. A copy that needs no Python is made by “Save”, “What-if as one file”, or by lmdk export.";

// on the page, not in this module: every widget brings a loader of its own
const loaded = (globalThis.lmdkLoaded ??= new Map());

const served = () => /** @type {HTMLMetaElement} */ (document.querySelector('meta[name="lmdk-static"]'));

export function library(model, name) {
  const page = served();
  const key = page ? name : `${name} ${model.get("_version")}`;
  if (!loaded.has(key)) {
    const url = page ? Promise.resolve(new URL(page.content + name, document.baseURI).href) : fromKernel(model, name);
    const module = url.then((u) => import(u));
    loaded.set(key, module);
    module.catch(() => loaded.delete(key));
  }
  return loaded.get(key);
}

function fromKernel(model, name) {
  return new Promise((resolve) => {
    const receive = (message, buffers) => {
      if (message.type !== "library" || message.name !== name) return;
      model.off("msg:custom", receive);
      resolve(URL.createObjectURL(new Blob([buffers[0]], { type: "text/javascript" })));
    };
    model.on("msg:custom", receive);
    model.send({ type: "library", name });
  });
}

// The keys of a widget are its own: in JupyterLab and Notebook D D would delete the cell around it, and B insert another.
// Their rules look at the element that has the focus, so that is the one to mark. Saving stays with the notebook.
function keepKeys(el) {
  const mark = (event) => {
    const saves = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s";
    event.target.toggleAttribute("data-lm-suppress-shortcuts", !saves);
  };
  el.addEventListener("keydown", mark, true);
}

// A notebook keeps a static copy next to a page (lmdk_widgets/page/reading.py), which is hidden while there is a kernel.
function hideStill(model) {
  const hide = () => {
    const name = model.get("_still");
    const known = `lmdk-still-${name}`;
    if (!name || document.getElementById(known)) return;
    const sheet = Object.assign(document.createElement("style"), { id: known, nonce: document.body.dataset.nonce ?? "" });
    sheet.textContent = `[data-lmdk-still="${name}"] { display: none !important; }`;
    document.head.append(sheet);
  };
  hide();
  model.on("change:_still", hide);
}

export default {
  async render({ model, el, host }) {
    keepKeys(el);
    const waiting = served() ? undefined : setTimeout(() => (el.textContent = NOBODY), PATIENCE);
    try {
      const module = await library(model, model.get("_module"));
      clearTimeout(waiting);
      if (el.textContent === NOBODY) el.textContent = "";
      hideStill(model);
      return module.default.render({ model, el, host, library: (name) => library(model, name) });
    } catch (error) {
      clearTimeout(waiting);
      const sentence = "The page could not be drawn: a part of it did not load. Reload the page.";
      el.textContent = sentence;
      window.dispatchEvent(new CustomEvent("lmdk-error", { detail: sentence }));
      throw error;
    }
  },
};
