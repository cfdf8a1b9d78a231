// Python in a worker of the browser: loads Pyodide, NumPy and the package, which are next to this file, and lets the pages of
// the package answer. It knows nothing about them: texts and buffers go in and out.
const root = new URL("../", import.meta.url);
const HOME = "/lmdk";
const EMPTY = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);

const say = (said, more = {}, buffers = []) => self.postMessage({ said, ...more, buffers }, { transfer: buffers });

let pages = null; // of Python, once it is there
let python = null;
const waiting = [];

self.onmessage = ({ data }) => {
  if (data.do === "start") start(data).catch((error) => say("failed", { reason: String(error?.message ?? error) }));
  else if (pages) act(data);
  else waiting.push(data);
};

async function start({ code }) {
  new WebAssembly.Module(EMPTY); // Pyodide would wait forever if machine code is not allowed
  const archive = fetched(code); // while Python starts
  const { loadPyodide } = await import(new URL("pyodide/pyodide.mjs", root).href);
  const packages = fetch(new URL("pyodide/pyodide-lock.json", root)).then((answer) => answer.json());
  python = await loadPyodide({ indexURL: new URL("pyodide/", root).href, packages: ["numpy"] });
  python.known = Object.keys((await packages).packages);
  python.unpackArchive(await archive, "zip", { extractDir: HOME });
  python.runPython(`import sys; sys.path.insert(0, "${HOME}")`);
  pages = python.pyimport("lmdk_widgets.hosts.site.worker").Pages(tell);
  say("ready");
  for (const data of waiting) act(data); // in the order in which they came: `act` begins one after the other
}

async function fetched(path) {
  const answer = await fetch(new URL(path, root));
  if (!answer.ok) throw new Error(`${path} is not there`);
  return answer.arrayBuffer();
}

// What a page sends; its buffers are copied out of Python's memory and transferred.
function tell(name, text, buffers) {
  const copies = buffers.toJs();
  buffers.destroy();
  say(
    "message",
    { name, text },
    copies.map(({ buffer }) => buffer),
  );
}

let last = Promise.resolve(null);

// One after another: a page may need a package that has to be loaded first.
function act(data) {
  last = last.then(() => done(data)).catch((error) => say("broken", { name: data.name, reason: String(error?.message ?? error) }));
}

async function done({ do: what, name, needs = [], python: home, query, text, buffers }) {
  if (what === "open") {
    const there = needs.filter((each) => python.known.includes(each));
    if (there.length) await python.loadPackage(there, { messageCallback: () => {} });
    pages.open(name, ...home, query);
    say("opened", { name });
  } else if (what === "ask") {
    pages.ask(name);
    say("opened", { name });
  } else {
    const given = python.toPy(buffers.map((buffer) => new Uint8Array(buffer)));
    pages.receive(name, text, given);
    given.destroy();
  }
}
