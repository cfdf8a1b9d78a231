// Where Python runs, seen from the page: in a worker of the browser, or behind a socket. Pages are opened in it, and messages go
// there and back.
export class Engine {
  // make(): the worker, or what takes its place; code: where the package is; changed(state, reason): "ready", "failed", or
  // "cut" while it is away.
  constructor(make, code, changed) {
    this.state = "loading";
    this.changed = changed;
    this.pages = new Map();
    this.opens = new Map(); // how each page was opened: it is opened the same way if all of it is lost
    try {
      this.worker = make();
    } catch (error) {
      queueMicrotask(() => this.fail(String(error)));
      return;
    }
    this.worker.onerror = (event) => (event.preventDefault(), this.fail(event.message || "its worker did not start"));
    this.worker.onmessage = ({ data }) => this.heard(data);
    this.worker.postMessage({ do: "start", code });
  }

  // page: its methods `opened()`, `give(message, buffers)`, `lost()` and `fail(reason)` are called; how: what the worker opens.
  open(page, how) {
    this.pages.set(page.name, page);
    this.opens.set(page.name, how);
    if (this.state === "failed") page.fail(this.reason);
    else this.worker.postMessage({ ...how, name: page.name });
  }

  send(name, message, buffers = []) {
    this.worker.postMessage({ do: "message", name, text: JSON.stringify(message), buffers: [...buffers] });
  }

  heard({ said, name, text, message, buffers, reason }) {
    if (said === "ready") {
      const again = this.worker.home && this.opens; // a worker gets everything that was requested before it was ready
      this.state = "ready";
      this.changed(this.state);
      for (const [opened, how] of again || []) this.worker.postMessage({ ...how, name: opened });
    } else if (said === "failed") this.fail(reason);
    else if (said === "cut") this.cut(reason);
    else if (said === "opened") this.pages.get(name).opened();
    else if (said === "broken") this.pages.get(name)?.fail(reason);
    else if (said === "message")
      this.pages.get(name).give(
        message ?? JSON.parse(text),
        buffers.map((buffer) => new DataView(buffer)),
      );
  }

  cut(reason) {
    this.state = "cut";
    this.changed(this.state, reason);
    for (const page of this.pages.values()) page.lost();
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
