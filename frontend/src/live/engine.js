// The worker that Python runs in, seen from the page: pages are opened in it, and messages go there and back.
export class Engine {
  // address: of the worker's script; code: where the package lies; changed(state, reason): "ready" or "failed".
  constructor(address, code, changed) {
    this.state = "loading";
    this.changed = changed;
    this.pages = new Map();
    try {
      this.worker = new Worker(address, { type: "module" });
    } catch (error) {
      queueMicrotask(() => this.fail(String(error)));
      return;
    }
    this.worker.onerror = (event) => (event.preventDefault(), this.fail(event.message || "its worker did not start"));
    this.worker.onmessage = ({ data }) => this.heard(data);
    this.worker.postMessage({ do: "start", code });
  }

  // page: told `opened()`, `give(message, buffers)` and `fail(reason)`; how: what the worker is told to open.
  open(page, how) {
    this.pages.set(page.name, page);
    if (this.state === "failed") page.fail(this.reason);
    else this.worker.postMessage({ ...how, name: page.name });
  }

  send(name, message, buffers = []) {
    this.worker.postMessage({ do: "message", name, text: JSON.stringify(message), buffers: [...buffers] });
  }

  heard({ said, name, text, buffers, reason }) {
    if (said === "ready") {
      this.state = "ready";
      this.changed(this.state);
    } else if (said === "failed") this.fail(reason);
    else if (said === "opened") this.pages.get(name).opened();
    else if (said === "broken") this.pages.get(name)?.fail(reason);
    else if (said === "message")
      this.pages.get(name).give(
        JSON.parse(text),
        buffers.map((buffer) => new DataView(buffer)),
      );
  }

  fail(reason) {
    if (this.state === "failed") return;
    this.state = "failed";
    this.reason = reason;
    this.worker?.terminate();
    this.changed(this.state, reason);
    for (const page of this.pages.values()) page.fail(reason);
  }
}
