// Sends a file to the kernel in pieces (one message above 10 MB would close the connection), and says how far it is: bytes
// that have arrived, then for how long they are being read. Both can be cancelled, and the page stays as it was.

const PIECE = 1 << 20; // bytes
const SOON = 300; // milliseconds: what takes less is not worth a word

export class Uploader {
  constructor(send, notices) {
    this.send = send;
    this.notices = notices;
    this.serial = 0;
    this.most = 0; // bytes of a file, from the options
  }

  // options: what the kernel must know of the file beside its name
  async start(file, options = {}) {
    this.notices.clear(); // what was said of the file before
    if (file.size > this.most) {
      const size = Math.round(file.size / (1 << 20));
      this.notices.error(`A file must have at most ${this.most >> 20} MB; ${file.name} has ${size} MB. Cut it to what matters.`);
      return;
    }
    const id = ++this.serial;
    const pieces = Math.max(1, Math.ceil(file.size / PIECE));
    let sent = 0;
    this.follow(() => [`Sending ${file.name}: ${bytes(sent)} of ${bytes(file.size)}.`, sent / file.size]);
    for (let k = 0; k < pieces; k++) {
      const piece = await file.slice(k * PIECE, (k + 1) * PIECE).arrayBuffer();
      if (id !== this.serial) return; // cancelled, or another file came
      const answer = new Promise((resolve) => (this.next = () => resolve(null)));
      if (k === pieces - 1) this.reading(`${file.name}, ${bytes(file.size)}`);
      this.send({ type: "upload", id, name: file.name, piece: k, pieces, ...options }, [piece]);
      await answer; // one piece in flight
      sent += piece.byteLength;
    }
  }

  received() {
    this.next?.();
  }

  // The kernel has all of it, or reads again what it refused.
  reading(what = "the file again") {
    const began = performance.now();
    this.follow(() => [`Reading ${what}: ${Math.round((performance.now() - began) / 1000)} s so far.`]);
  }

  // words(): a sentence, and the share that is done where it is known
  follow(words) {
    clearInterval(this.watch);
    this.watch = setInterval(() => {
      const [text, share] = words();
      this.notices.progress(text, share, () => this.cancel());
    }, SOON);
  }

  over() {
    clearInterval(this.watch);
    this.notices.endProgress();
  }

  cancel() {
    this.serial++;
    this.send({ type: "cancel-upload" });
    this.over();
    this.notices.say("Cancelled: the page is as it was.");
  }
}

function bytes(count) {
  return count < 1e6 ? `${Math.ceil(count / 1e3)} kB` : `${(count / 1e6).toFixed(count < 1e7 ? 1 : 0)} MB`;
}
