// Plays a recording as the file does, for a test in Python: the walk in a file in, what the page was sent out, as JSON.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";

const [root, block, walk] = process.argv.slice(2);
const { Recording } = await import(`${root}/recording.js`);
const { Player } = await import(`${root}/player.js`);

const bytes = await readFile(block);
const player = new Player(new Recording(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)));
const hash = (view) => createHash("sha256").update(new Uint8Array(view.buffer, view.byteOffset, view.byteLength)).digest("hex");

let sent = [];
player.on("msg:custom", (message, buffers) => sent.push([message, buffers.map(hash)]));
const told = [];
for (const message of JSON.parse(await readFile(walk, "utf-8"))) {
  sent = [];
  player.answer(message);
  told.push(sent);
}
process.stdout.write(JSON.stringify(told));
