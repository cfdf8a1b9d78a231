// Sends a file to the kernel in pieces (one message above 10 MB would close the connection), and says how far it is: bytes
// that have arrived, then for how long they are being read. Both can be cancelled, and the page stays as it was.

const PIECE = 1 << 20; // bytes

export class Uploader {
  // kept: what the page keeps, including each file that was read
  constructor(send, notices, kept) {
    this.send = send;
    this.notices = notices;
    this.kept = kept;
    this.serial = 0;
    this.most = 0; // bytes of a file, from the options
    this.held = null; // the last file, in memory: if a session ends, it is sent to the next one
    this.busy = false;
    this.settle = (_read) => {};
  }

  // options: what the kernel must know about the file besides its name; chosen: what was chosen for it. Returns whether it was read.
  async start(file, options = {}, chosen = {}) {
    this.notices.clear(); // what was said about the previous file
    if (file.size > this.most) {
      const size = Math.round(file.size / (1 << 20));
      this.notices.error(`A file must have at most ${this.most >> 20} MB; ${file.name} has ${size} MB. Cut it down to what matters.`);
      return false;
    }
    const id = ++this.serial;
    const held = {
      name: file.name,
      size: file.size,
      options,
      chosen,
      asked: chosen,
      pieces: [],
      before: this.kept.choices,
      slice: (...ends) => file.slice(...ends),
    };
    this.held = held;
    const read = this.outcome();
    const count = Math.max(1, Math.ceil(file.size / PIECE));
    let sent = 0;
    this.follow(() => [`Sending ${file.name}: ${bytes(sent)} of ${bytes(file.size)}.`, sent / file.size]);
    for (let k = 0; k < count; k++) {
      const piece = file.pieces?.[k] ?? (await file.slice(k * PIECE, (k + 1) * PIECE).arrayBuffer());
      if (id !== this.serial) return false; // cancelled, or another file came
      held.pieces.push(piece);
      const answer = new Promise((resolve) => (this.next = () => resolve(null)));
      if (k === count - 1) this.reading(`${file.name}, ${bytes(file.size)}`);
      this.send({ type: "upload", id, name: file.name, piece: k, pieces: count, chosen, ...options }, [piece]);
      await answer; // one piece in flight
      sent += piece.byteLength;
    }
    return read;
  }

  // Whether the kernel accepts what it is about to read.
  outcome() {
    this.settle(false);
    this.busy = true;
    return new Promise((resolve) => (this.settle = resolve));
  }

  received() {
    this.next?.();
  }

  // The kernel has read the file, or refused it.
  read({ taken }) {
    this.over();
    this.busy = false;
    if (taken && this.held) this.kept.file(Object.assign(this.held, { chosen: this.held.asked }));
    this.settle(taken);
  }

  // The file that was refused, or another part of it, with what was chosen for it.
  readAgain(options) {
    this.reading();
    if (this.held) this.held.asked = { ...this.held.asked, ...options };
    const read = this.outcome();
    this.send({ type: "reload", ...options });
    return read;
  }

  // Whether a file is on its way, or waits for an answer.
  waits({ stays }) {
    return Boolean(this.held) && (this.busy || stays);
  }

  // The kernel has the whole file, or reads again what it refused.
  reading(what = "the file again") {
    this.over();
    this.follow((seconds) => [`Reading ${what}: ${seconds} s so far.`]);
  }

  follow(words) {
    this.notices.waits.follow("upload", words, [["Cancel", () => this.cancel()]]);
  }

  over() {
    this.notices.waits.end("upload");
  }

  cancel() {
    this.serial++;
    this.send({ type: "cancel-upload" });
    this.over();
    this.busy = false;
    this.settle(false);
    this.notices.say("Cancelled: the page is as it was.");
  }
}

function bytes(count) {
  return count < 1e6 ? `${Math.ceil(count / 1e3)} kB` : `${(count / 1e6).toFixed(count < 1e7 ? 1 : 0)} MB`;
}
