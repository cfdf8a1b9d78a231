// The messages of a recording, unpacked: a block with its index as JSON, and arrays at multiples of 8 bytes. In the index
// {"=": k} stands for the k-th part, a text of JSON.
const PART = "=";

export class Recording {
  // block: ArrayBuffer
  constructor(block) {
    const length = new DataView(block).getUint32(0, true);
    this.index = JSON.parse(new TextDecoder().decode(new Uint8Array(block, 4, length)));
    this.block = block;
    this.start = 4 + length;
  }

  // A message and its buffers, new ones each time: a page may change what it was sent.
  message(number) {
    const [packed, held] = this.index.messages[number];
    const buffers = held.map((k) => {
      const [at, length] = this.index.arrays[k];
      return new DataView(this.block.slice(this.start + at, this.start + at + length));
    });
    return { message: this.whole(packed), buffers };
  }

  whole(value) {
    if (Array.isArray(value)) return value.map((part) => this.whole(part));
    if (value === null || typeof value !== "object") return value;
    if (PART in value) return this.whole(JSON.parse(this.index.parts[value[PART]]));
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, this.whole(part)]));
  }
}
