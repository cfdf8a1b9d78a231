// What a page needs to continue where a previous session of it ended: the files that it was given, what was chosen, and the
// steps before and after it. It is only in the memory of the page: nothing is stored anywhere, and a reload forgets it.
import { hasAddress } from "./address.js";
import { server } from "./server.js";

// on the page, not in this module: what each page of the dashboard kept of its last session
const kept = (globalThis.lmdkKept ??= new Map());
const MOST = 1.5e5; // characters of the steps that are handed on: a message has at most 512 KB besides its buffers
const TAB = "lmdk-tab-"; // in the memory of the browser's tab, before the name of a page
const UNRESTORED = "The Python session had ended, and not all of this page could be restored: see what it says about that, or upload your file again.";

// The tab that the user has chosen on a page, for a reload.
export function keepTab(page, name) {
  try {
    sessionStorage.setItem(TAB + page, name);
  } catch {
    // a browser may forbid this
  }
}

function tabBefore(page) {
  try {
    const [{ type }] = /** @type {any[]} */ (performance.getEntriesByType("navigation"));
    return type === "reload" ? sessionStorage.getItem(TAB + page) : null;
  } catch {
    return null;
  }
}

// Sends a message, unless the session has just ended: then the page around takes care of it, or in a notebook the page itself.
export function sent(send, gone = null) {
  try {
    send();
  } catch (error) {
    if (server() === null && !gone) throw error;
    if (server() === null) gone();
    else window.dispatchEvent(new CustomEvent("lmdk-lost"));
  }
}

export class Kept {
  // all: whether the page works with all of its files, not only with the last one for each purpose
  constructor(name, page, all = false) {
    this.name = name;
    this.page = page;
    this.all = all;
    this.files = [];
    this.choices = null;
    this.step = null;
    this.steps = new Map();
    this.restored = (_message) => {};
    this.began = null; // a promise: the page is ready
    this.goesOn = null; // where the next session was told of this one before it was asked for anything
  }

  // For the next session of the same page. If no file has to come first, it is told immediately, so that its first text is right.
  handedOn() {
    const next = new Kept(this.name, this.page, this.all);
    if (!this.choices) return next;
    kept.set(this.name, this);
    if (!this.files.length) this.goesOn = next.restore(...this.around());
    return next;
  }

  // The choices as the kernel told them, and their place among all steps.
  told({ choices, step }) {
    if (!step) return; // a saved page, whose session cannot end
    const isFirst = !this.step;
    Object.assign(this, { choices, step });
    if (step.settled) this.steps.set(step.at, choices);
    for (const k of this.steps.keys()) if (k < step.first || k > step.last) this.steps.delete(k);
    if (isFirst) this.began = this.begin();
  }

  // A file was read, or another part of the last one.
  file(file) {
    if (this.files.includes(file)) return;
    this.files = this.files.filter((one) => this.all || one.options.purpose !== file.options.purpose);
    this.files.push(file);
  }

  // The page is ready: it continues where a previous session of it ended.
  async begin() {
    if (!hasAddress(this.page.root)) return this.page.pump.release();
    const before = kept.get(this.name);
    if (!before?.choices) {
      this.page.tabs?.restore(tabBefore(this.name));
      this.page.pump.release();
      return kept.set(this.name, this);
    }
    const { root, notices } = this.page;
    root.inert = !before.goesOn; // if nothing has to be read again, the user can go on
    const whole = await this.bring(before);
    root.inert = false;
    this.page.pump.release();
    kept.set(this.name, this);
    this.page.tabs?.restore(before.page.tabs?.current?.name);
    if (!whole) notices.fault(UNRESTORED);
  }

  async bring(before) {
    let whole = true;
    for (const file of before.files) {
      if (file.options.purpose) await this.restore([file.before], 0); // it belongs to what was chosen then
      whole = (await this.again(file)) && whole;
    }
    whole = (await (before.goesOn ?? this.restore(...before.around()))) && whole;
    const { uploader, pump, notices } = before.page;
    if (uploader.waits(notices)) this.again(uploader.held);
    if (pump !== this.page.pump) for (const operation of pump.unanswered()) this.page.pump.request(operation);
    return whole;
  }

  // The days of a file are chosen once it has been read, as they are only known then.
  async again(file) {
    const { uploader } = this.page;
    const { days, ...chosen } = file.chosen;
    const read = await uploader.start(file, file.options, chosen);
    return read && days ? uploader.readAgain({ days }) : read;
  }

  // The steps around the present one that can be handed on, the nearest first, and its position among them.
  around() {
    const { first, at, last } = this.step;
    let room = MOST - JSON.stringify(this.choices).length;
    const has = (k) => this.steps.has(k) && (room -= JSON.stringify(this.steps.get(k)).length) > 0;
    let from = at;
    let to = at;
    while (from > first && has(from - 1)) from--;
    while (to < last && has(to + 1)) to++;
    const steps = Array.from({ length: to - from + 1 }, (_, k) => (from + k === at ? this.choices : this.steps.get(from + k)));
    return [steps, at - from];
  }

  restore(steps, at) {
    return new Promise((resolve) => {
      this.restored = ({ done }) => resolve(done);
      this.page.send({ type: "restore", steps, at });
    });
  }
}
