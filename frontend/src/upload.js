// Sends a file to the kernel in pieces: one message above 10 MB would close the connection.

const PIECE = 1 << 20; // bytes
export const MOST = 256 << 20; // bytes

export class Uploader {
  constructor(send, notices) {
    this.send = send;
    this.notices = notices;
    this.serial = 0;
  }

  async start(file) {
    this.notices.clear(); // what was said of the file before
    if (file.size > MOST) {
      const size = Math.round(file.size / (1 << 20));
      this.notices.error(`${file.name}: the file is too large (got ${size} MB). Allowed: at most ${MOST >> 20} MB. Cut it to the days that matter.`);
      return;
    }
    const id = ++this.serial;
    const pieces = Math.max(1, Math.ceil(file.size / PIECE));
    for (let k = 0; k < pieces && id === this.serial; k++) {
      const bytes = await file.slice(k * PIECE, (k + 1) * PIECE).arrayBuffer();
      const answer = new Promise((resolve) => (this.next = resolve));
      this.send({ type: "upload", id, name: file.name, piece: k, pieces }, [bytes]);
      await answer; // one piece in flight
    }
  }

  received() {
    this.next?.();
  }
}
