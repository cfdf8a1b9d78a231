// Instead of the worker: the same messages, over a socket to a server that computes. If the socket or the process behind it is
// lost, it connects again by itself, and says so: then pages send again what was chosen.
const SOON = 30; // ms before the first try
const LATEST = 5000;
// A lost network tells neither end: after this many ms without a word, the server is asked whether it is there.
const QUIET = 10_000;
const AWAITED = 2000; // where something was asked
const DEAF = 18_000; // ms that it may take to answer, behind a long message on a slow network, or to be ready at first
const AWAY = 8000; // the same where it does not answer another connection either
const CHANGED = 5000; // the same where the network has just come back: the connection of before may be none
const FULL = 4503; // codes with which the server closes
const MANY = 4429;
const FORGOTTEN = 4410;

export class Socket {
  // server: the path of all pages of the server
  constructor(server) {
    this.address = new URL(`${server}pages`, document.baseURI);
    this.home = new URL(server, document.baseURI);
    this.address.protocol = this.address.protocol.replace("http", "ws");
    this.onmessage = (_event) => {};
    this.tries = 0;
    this.isReady = this.ended = false;
    this.heardAt = this.askedAt = 0;
    this.probed = null;
    queueMicrotask(() => this.connect());
    addEventListener("online", () => (this.isReady ? this.probe(CHANGED) : this.connect()));
    document.addEventListener("visibilitychange", () => this.probe());
    setInterval(() => this.look(), AWAITED / 2);
  }

  look() {
    const now = performance.now();
    const awaited = this.askedAt > this.heardAt && now - this.askedAt >= AWAITED;
    if (!this.probed && (awaited || now - this.heardAt >= QUIET)) this.probe();
  }

  // Asks the server for an empty message, and connects again if nothing comes at all.
  probe(patience = 0) {
    const { socket } = this;
    if (!this.isReady || document.visibilityState === "hidden" || socket.readyState !== WebSocket.OPEN) return;
    clearTimeout(this.probed);
    socket.send(new Uint8Array());
    let isThere = false;
    if (!patience)
      fetch(this.home, { method: "HEAD", cache: "no-store" })
        .then(() => (isThere = true))
        .catch(() => {});
    const wait = () => (isThere ? (this.probed = setTimeout(() => this.giveUp(socket), DEAF - AWAY)) : this.giveUp(socket));
    this.probed = setTimeout(wait, patience || AWAY);
  }

  giveUp(socket) {
    if (socket !== this.socket) return;
    socket.close();
    this.closed(0);
  }

  connect() {
    clearTimeout(this.timer);
    if (this.ended) return;
    this.socket?.close();
    const socket = new WebSocket(this.address);
    this.socket = socket;
    this.probed = setTimeout(() => this.giveUp(socket), DEAF);
    socket.binaryType = "arraybuffer";
    socket.onmessage = ({ data }) => socket === this.socket && this.heard(data);
    socket.onclose = ({ code }) => socket === this.socket && this.closed(code);
  }

  heard(data) {
    this.heardAt = performance.now();
    this.answered();
    if (!data.byteLength) return;
    const [text, ...buffers] = unpacked(data);
    const message = JSON.parse(new TextDecoder().decode(text));
    if (message.said === "ready") {
      this.tries = 0;
      this.isReady = true;
    }
    this.say({ ...message, buffers });
  }

  say(data) {
    this.onmessage({ data });
  }

  answered() {
    clearTimeout(this.probed);
    this.probed = null;
  }

  closed(code) {
    this.socket = null; // whatever it still sends is from a page that was lost
    this.isReady = false;
    this.answered();
    if (code === FORGOTTEN) this.terminate();
    if (this.ended) return;
    const why = code === FULL ? "full" : code === MANY ? "many" : "lost";
    this.say({ said: "cut", reason: why });
    if (this.tries > 1 && why === "lost") this.isKnown();
    const wait = this.tries++ ? Math.min(LATEST, 150 * 2 ** this.tries) : SOON;
    this.timer = setTimeout(() => this.connect(), wait * (0.75 + Math.random() / 2));
  }

  // A restarted server asks for its token again.
  async isKnown() {
    const answer = await fetch(this.home, { method: "HEAD", cache: "no-store" }).catch(() => null);
    if (answer?.status === 403 || answer?.status === 429) this.say({ said: "cut", reason: "stranger" });
    else if (!answer) this.say({ said: "cut", reason: "silent" });
  }

  postMessage({ buffers = [], ...message }) {
    if (!(this.askedAt > this.heardAt)) this.askedAt = performance.now(); // the first that has no answer
    if (this.isReady && this.socket.readyState === WebSocket.OPEN) this.socket.send(packed(new TextEncoder().encode(JSON.stringify(message)), buffers));
  }

  terminate() {
    this.ended = true;
    clearTimeout(this.timer);
    this.socket?.close();
  }
}

// Lengths of 4 bytes, the lowest first, before each part: as frames.py reads and writes them.
function packed(...[text, buffers]) {
  const parts = [text, ...buffers].map((part) =>
    ArrayBuffer.isView(part) ? new Uint8Array(part.buffer, part.byteOffset, part.byteLength) : new Uint8Array(part),
  );
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + 4 + part.length, 0));
  let at = 0;
  for (const part of parts) {
    new DataView(whole.buffer).setUint32(at, part.length, true);
    whole.set(part, at + 4);
    at += 4 + part.length;
  }
  return whole;
}

function unpacked(data) {
  const view = new DataView(data);
  const parts = [];
  for (let at = 0; at < data.byteLength; ) {
    const length = view.getUint32(at, true);
    parts.push(data.slice(at + 4, at + 4 + length)); // a copy: what holds numbers begins at a multiple of 8 then
    at += 4 + length;
  }
  return parts;
}
