// The content of the address bar: the settings of the open page and, as other.<page>, those of the pages that were changed
// before. So a reload restores them, even after the kernel has died; it never contains coordinates or data.
const MOST = 8000; // characters: the kernel reads no more
const PAUSE = 100; // milliseconds after which a change is written
const EVERY = 1000; // milliseconds between two writes while changes do not end, or come too fast
const SPAN = 30_000; // milliseconds in which browsers take no more than a hundred writes
const FAST = 20; // after this many writes in that span, at most one a second follows
const OTHER = "other.";

// Whether a widget is on a page of ours whose address is read when it opens. A notebook's address is not ours, and nothing
// reads that of a lesson.
export function hasAddress(element) {
  return Boolean(element.closest(".lmdk-dashboard") && document.querySelector('meta[name="lmdk-static"]'));
}

// A page tells the dashboard around it what its settings are: the message has its link and what that leaves out.
export function tellSettings(element, { link, left_out: leftOut }) {
  element.dispatchEvent(new CustomEvent("lmdk-settings", { bubbles: true, composed: true, detail: { link, leftOut } }));
}

export class Address {
  // titles: [[name, title], ...] of the pages; open: the first one; show(name): opens one, because the user went back or forward.
  constructor(titles, open, show) {
    this.titles = new Map(titles);
    this.open = open;
    this.writes = [];
    this.pages = new Map(titles.map(([name]) => [name, { link: "", leftOut: [], first: null }]));
    const given = new URLSearchParams(window.location.search);
    this.named = given.has("page");
    for (const [name, text] of given) {
      const other = name.startsWith(OTHER) && this.pages.get(name.slice(OTHER.length));
      if (other) Object.assign(other, { link: text, first: "" });
      else if (name !== "page") this.pages.get(open).first = "";
    }
    this.back = () => {
      const asked = new URLSearchParams(window.location.search).get("page");
      this.open = this.pages.has(asked) ? asked : titles[0][0];
      show(this.open);
      this.write();
    };
    window.addEventListener("popstate", this.back);
  }

  // The page with this name now has the settings of a link.
  settings(name, { link, leftOut }) {
    const page = this.pages.get(name);
    const same = page.first !== null && page.link === link && String(page.leftOut) === String(leftOut);
    page.first ??= link;
    Object.assign(page, { link, leftOut });
    if (same) return; // background results come with the same settings and are not a change
    window.dispatchEvent(new CustomEvent("lmdk-address", { detail: this.missing() }));
    const now = performance.now();
    this.since ??= now;
    this.writes = this.writes.filter((at) => now - at < SPAN);
    const due = this.writes.length < FAST ? Math.min(now + PAUSE, this.since + EVERY) : this.writes.at(-1) + EVERY;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.write(), Math.max(0, due - now));
  }

  // The user opens another page, and Back returns to this one.
  go(name) {
    this.write();
    this.open = name;
    this.named = true;
    this.write("pushState");
  }

  // What of the user's work a reload would lose, in words.
  missing() {
    const { dropped } = this.query();
    const settings = dropped.map((name) => `the settings of ${this.titles.get(name)}`);
    return [...[...this.pages.values()].flatMap((page) => page.leftOut), ...settings];
  }

  // The settings of a page that differ from its initial ones.
  held(name) {
    const { link, first } = this.pages.get(name);
    return link !== first ? link : "";
  }

  query() {
    const own = this.held(this.open) || (this.named ? `page=${this.open}` : "");
    const dropped = [...this.pages.keys()].filter((name) => name !== this.open && this.held(name));
    const parts = [own];
    let length = own.length;
    for (const name of [...dropped]) {
      const part = `${OTHER}${name}=${encodeURIComponent(this.held(name))}`;
      if (length + part.length >= MOST) continue;
      length += part.length + 1;
      parts.push(part);
      dropped.splice(dropped.indexOf(name), 1);
    }
    return { text: parts.filter(Boolean).join("&"), dropped };
  }

  write(how = "replaceState") {
    clearTimeout(this.timer);
    this.since = undefined;
    const url = new URL(window.location.href);
    url.search = this.query().text;
    if (how === "replaceState" && url.href === window.location.href) return;
    this.writes.push(performance.now());
    try {
      window.history[how](null, "", url);
    } catch {
      this.timer = setTimeout(() => this.write(), 10 * EVERY); // too many writes: the browser refuses some
    }
  }

  remove() {
    clearTimeout(this.timer);
    window.removeEventListener("popstate", this.back);
  }
}
