// Runs in every page before the page's own scripts, and measures from inside it, with the page's own clock.
//
// One rule for both pages: a move is the event that a drag fires on the slider; "text" is the moment when the text
// with the numbers has changed; "painted" is two animation frames after the last view reported that it had drawn. Pages
// differ only in where their slider is and in how their views report this (`kinds` below).
(() => {
  const COMPLETE_TIMEOUT_MS = 120_000;
  const MOVE_TIMEOUT_MS = 20_000;
  let websocketBytes = 0;

  const NativeWebSocket = window.WebSocket;
  window.WebSocket = class extends NativeWebSocket {
    constructor(...args) {
      super(...args);
      this.addEventListener("message", ({ data }) => {
        websocketBytes += data.byteLength ?? data.size ?? data.length;
      });
    }
  };
  performance.setResourceTimingBufferSize(10_000);

  const $ = (selector, root = document) => root.querySelector(selector);
  const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
  const visible = (element) => Boolean(element) && element.getClientRects().length > 0;
  const frame = () => new Promise(requestAnimationFrame);
  const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const painted = async () => {
    await frame();
    await frame();
    return performance.now();
  };

  // --- the slider of ipywidgets: a noUiSlider, driven by mouse events ---
  const mouse = (target, type, x, y) =>
    target.dispatchEvent(
      new MouseEvent(type, { bubbles: true, cancelable: true, clientX: x, clientY: y, buttons: type === "mouseup" ? 0 : 1 }),
    );
  const stockSlider = {
    ready: () => visible($(".noUi-handle")) && visible($(".bench-numbers")) && $(".bench-numbers").textContent !== "",
    grab() {
      const box = $(".noUi-handle").getBoundingClientRect();
      mouse($(".noUi-handle"), "mousedown", box.x + box.width / 2, box.y + box.height / 2);
    },
    drag(fraction) {
      const box = $(".noUi-base").getBoundingClientRect();
      mouse(document.documentElement, "mousemove", box.x + fraction * box.width, box.y + box.height / 2);
    },
    drop: () => mouse(document.documentElement, "mouseup", 0, 0),
  };

  // --- a slider of the explorer: an input of type range ---
  const rangeSlider = (label) => ({
    element: () => $$(`input[type="range"][aria-label="${label}"]`).find(visible),
    grab() {},
    drag(fraction) {
      const input = this.element();
      const [low, high] = [Number(input.min || 0), Number(input.max || 100)];
      input.value = String(low + fraction * (high - low)); // the browser rounds to the step
      input.dispatchEvent(new Event("input", { bubbles: true }));
    },
    drop() {
      this.element().dispatchEvent(new Event("change", { bubbles: true }));
    },
  });

  // A promise for the moment when `done()` is first true after a mutation of `target`.
  const mutated = (target, options, done, what) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`never happened: ${what}`)), MOVE_TIMEOUT_MS);
      const observer = new MutationObserver(() => {
        if (!done()) return;
        clearTimeout(timer);
        observer.disconnect();
        resolve(performance.now());
      });
      observer.observe(target, options);
    });

  const TEXT = { childList: true, characterData: true, subtree: true };
  const explorer = () => $$(".lmdk-explorer").find(visible); // the page that is open
  const paints = () => explorer().dataset.lmdkPainted ?? "";

  const ours = (slider) => ({
    slider,
    restless: true, // releasing the slider triggers one more update
    ready: () => visible(explorer()) && explorer().dataset.lmdkReady === "1" && visible(slider.element()),
    text: () => $('[data-lmdk="numbers"]', explorer()),
    views() {
      const root = explorer();
      const before = root.dataset.lmdkPainted;
      return [mutated(root, { attributeFilter: ["data-lmdk-painted"] }, () => root.dataset.lmdkPainted !== before, "all views painted")];
    },
  });

  const kinds = {
    bare: { slider: stockSlider, ready: () => stockSlider.ready(), text: () => $(".bench-numbers"), views: () => [] },
    ours: ours(rangeSlider("Epsilon")),
    strength: ours(rangeSlider("Strength s")),
    curves: ours(rangeSlider("Epsilon")),
    foundations: ours(rangeSlider("Epsilon")),
  };

  async function complete(kind) {
    while (!kinds[kind].ready()) {
      if (performance.now() > COMPLETE_TIMEOUT_MS) throw new Error(`the ${kind} page never became complete`);
      await frame();
    }
    return { complete_ms: await painted(), websocket_bytes: websocketBytes, http_bytes: httpBytes() };
  }

  function httpBytes() {
    const entries = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
    return entries.reduce((sum, entry) => sum + entry.transferSize, 0);
  }

  async function move(kind, fraction) {
    const { slider, text, views } = kinds[kind];
    slider.grab();
    const element = text(); // found once: to look for what is visible lays out the page, which a slider does not wait for
    const before = element.textContent;
    const changed = mutated(element, TEXT, () => element.textContent !== before, "the text changed");
    const all = [changed, ...views.call(kinds[kind])];
    const start = performance.now();
    slider.drag(fraction);
    const last = Math.max(...(await Promise.all(all)));
    const end = await painted();
    slider.drop();
    return { text_ms: (await changed) - start, drawn_ms: last - start, painted_ms: end - start };
  }

  // Moves the slider to each fraction of its range in turn. The pause lets page and kernel come to rest; releasing
  // the explorer's slider triggers one more update (an undo step), which must finish before the next move.
  async function moves(kind, fractions, pauseMs) {
    const results = [];
    for (const fraction of fractions) {
      results.push(await move(kind, fraction));
      let seen;
      do {
        seen = kinds[kind].restless ? paints() : "";
        if (pauseMs) await sleep(pauseMs);
      } while (pauseMs && kinds[kind].restless && paints() !== seen);
    }
    return results;
  }

  // Voila's own template keeps the kernel's id in its configuration, the explorer's template on the body.
  const kernelId = () =>
    document.body.dataset.kernelId || JSON.parse($("#jupyter-config-data").textContent).kernelId;
  window.lmdkBench = { complete, moves, kernelId };
})();
