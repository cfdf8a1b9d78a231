// Takes the place of a page's widget: first the messages of its first state, which were recorded, then Python in the worker.
// What is requested meanwhile waits for Python, in order.
import { StandIn } from "../page/stand_in.js";

const QUIET = ["late", "cancel", "resume", "cancel-upload"];
const REFUSED = "Python does not run in this browser, so this page keeps its first settings: a current browser computes every setting.";

export class PageModel extends StandIn {
  // first: { traits, messages: [[message, [base64]]] }; shown: whether the first state is drawn at once, and does not wait for
  // settings that the address names.
  constructor(engine, name, { traits = {}, messages = [] }, shown = true) {
    super();
    this.engine = engine;
    this.name = name;
    this.traits = traits;
    this.messages = messages;
    this.shown = shown;
    this.state = "waits";
    this.views = [];
    this.waiting = [];
    this.options = new Map(); // what each view was told of its controls
    this.stands = shown; // the first state, until Python has all of it, or something is asked
    this.asked = new Map(); // questions of a lesson that were not judged yet
    this.wasLive = false;
  }

  get(name) {
    return this.traits[name];
  }

  send(message, _callbacks, buffers) {
    if (![...QUIET, "ready"].includes(message.type)) this.stands = false;
    if (["judge", "solve"].includes(message.type)) this.asked.set(message.id, message);
    if (message.type === "ready" && !this.views.includes(message.view)) this.views.push(message.view);
    if (this.state === "live") this.engine.send(this.name, message, buffers);
    else if (message.type === "ready") this.begin(message.view);
    else if (QUIET.includes(message.type)) return;
    else if (this.state === "failed") this.refuse(REFUSED, message);
    else this.waiting.push([message, buffers]);
  }

  begin(view) {
    if (this.shown || this.state === "failed") setTimeout(() => this.play(view)); // once the page has gone on
  }

  // The first state, as Python told it when the site was written.
  play(view) {
    if (this.state === "live") return;
    for (const [message, buffers] of this.messages) {
      const told = { ...message, view };
      if (told.type === "options") this.options.set(view, told);
      this.hand(told, buffers.map(unpacked));
    }
  }

  // Python has the page: it is asked for what was drawn from the recording, and for what waited.
  opened() {
    const waited = this.waiting.splice(0);
    this.state = "live";
    if (this.wasLive) this.hand({ type: "reopened" }, []);
    for (const view of this.views) this.send({ type: "ready", view });
    for (const [message, buffers] of this.wasLive ? [...this.asked.values()].map((one) => [one]) : waited) this.send(message, null, buffers);
    this.wasLive = true;
  }

  // Python is away; requests made meanwhile wait, unless the page repeats them by itself.
  lost() {
    if (this.state === "live") this.state = "waits";
  }

  // What Python computes again in the background is there already: none of it is seen until all of it is there.
  give(message, buffers) {
    if (message.type === "verdict") this.asked.delete(message.id);
    if (message.type === "numbers" && this.stands) this.partial = message.busy;
    if (this.stands && this.partial && "options" !== message.type) return;
    if (message.type === "options") {
      const before = this.options.get(message.view);
      this.options.set(message.view, message);
      if (before && same(before, message)) return; // the controls are there already, and one may have the focus
      this.stands = false; // they are drawn again, and need their values
    }
    this.hand(message, buffers);
  }

  fail() {
    this.state = "failed";
    if (!this.shown) for (const view of this.views) this.play(view);
    for (const [message] of this.waiting.splice(0)) this.refuse(REFUSED, message);
  }
}

// Both are JSON; keys may be in another order.
function same(a, b) {
  if (a === b || typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => same(a[key], b[key]));
}

const unpacked = (text) => new DataView(Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0)).buffer);
