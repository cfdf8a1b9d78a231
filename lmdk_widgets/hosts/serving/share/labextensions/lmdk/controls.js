// Registers the classic ipywidgets (boxes, sliders, labels) with Voila's widget manager, from the copy that the manager
// itself contains. The usual way, JupyterLab's own widget extension, loads a second copy of everything.
//
// This is a container of webpack's module federation, written by hand: `init` receives the modules that the other
// extensions share, `get` answers with plugins. It is asked after every extension is initialised.
"use strict";
(() => {
  const SHARED = "@jupyter-widgets/jupyterlab-manager";
  let shared = {};
  const load = async (name) => (await Object.values(shared[name])[0].get())();
  window._JUPYTERLAB = window._JUPYTERLAB || {};
  window._JUPYTERLAB.lmdk = {
    async init(scope) {
      shared = scope;
    },
    async get() {
      const plugins = (await load(SHARED)).default;
      const wanted = plugins.filter((plugin) => /manager:(base|controls)-/.test(plugin.id));
      return () => ({ __esModule: true, default: wanted });
    },
  };
})();
