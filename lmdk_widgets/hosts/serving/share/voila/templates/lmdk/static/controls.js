// Registers the classic ipywidgets (boxes, sliders, labels) with Voila's widget manager, from the copy that the manager
// itself contains. The usual way, JupyterLab's own widget extension, loads a second copy of everything.
//
// This is a container of webpack's module federation, written by hand: `init` receives the modules that the other
// extensions share, `get` answers with plugins. It is asked after every extension is initialised.
//
// One more plugin gives a page that lost its kernel another one: other models, drawn in place of the previous ones.
"use strict";
(() => {
  const SHARED = "@jupyter-widgets/jupyterlab-manager";
  let shared = {};
  const load = async (name) => (await Object.values(shared[name])[0].get())();
  const VIEW = "application/vnd.jupyter.widget-view+json";

  // The manager of the widgets of another kernel, once it knows all of them.
  async function managerOf(before, id) {
    const kernel = before.kernel.clone({ model: { id, name: before.kernel.name }, handleComms: true });
    const manager = new before.constructor(kernel, before.rendermime);
    manager._registry = before._registry; // the same programs draw them
    await new Promise((resolve) => manager.restored.connect(resolve));
    return manager;
  }

  async function forget(manager) {
    for (const id of manager.registeredModels) {
      const model = await manager.get_model(id).catch(() => null); // closed by itself
      for (const view of Object.values(model?.views ?? {})) (await view).remove();
    }
    manager.kernel.dispose();
  }

  // id: of the other kernel; shown: what its notebook shows, for the outputs of the page in their order
  async function adopt(app, id, shown) {
    const before = app.widgetManager;
    const manager = await managerOf(before, id);
    const { WidgetRenderer } = await load(SHARED);
    app.widgetManager = manager;
    const places = document.querySelectorAll(".lmdk-output");
    await forget(before);
    shown.forEach((output, k) => {
      const renderer = new WidgetRenderer({ mimeType: VIEW }, manager);
      renderer.addClass("jp-OutputArea-output");
      places[k].replaceChildren();
      WidgetRenderer.attach(renderer, places[k]);
      renderer.renderModel(output);
    });
  }

  const reopens = {
    id: "lmdk:reopens",
    autoStart: true,
    activate: (app) => {
      window.lmdkReconnect = () => app.widgetManager.kernel.reconnect().catch(() => {}); // it tries again by itself
      window.lmdkAdopt = (id, shown) => adopt(app, id, shown);
    },
  };
  window._JUPYTERLAB = window._JUPYTERLAB || {};
  window._JUPYTERLAB.lmdk = {
    async init(scope) {
      shared = scope;
    },
    async get() {
      const plugins = (await load(SHARED)).default;
      const wanted = plugins.filter((plugin) => /manager:(base|controls)-/.test(plugin.id));
      return () => ({ __esModule: true, default: [...wanted, reopens] });
    },
  };
})();
