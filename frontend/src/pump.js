// One update in flight. What is asked for meanwhile waits as one list of operations in which a later value of the same
// choice replaces an earlier one, so that a fast drag never queues and its last value always wins. An answer that is lost,
// as when the network broke for a moment, holds up the rest for some seconds, not for ever.
const PATIENCE = 15_000; // milliseconds

export class Pump {
  constructor(send) {
    this.send = send;
    this.flying = 0;
    this.last = 0;
    this.waiting = [];
    this.commit = false;
  }

  // commit: the operation ends a gesture and makes a step to undo; a slider on its way does not.
  request(operation, commit = true) {
    const before = this.waiting.at(-1);
    if (operation.op === "set" && before?.op === "set" && before.name === operation.name) this.waiting.pop();
    this.waiting.push(operation);
    this.commit ||= commit;
    this.flush();
  }

  flush() {
    if (this.flying || !this.waiting.length) return;
    this.flying = ++this.last;
    const message = { type: "change", id: this.flying, operations: this.waiting, commit: this.commit };
    this.waiting = [];
    this.commit = false;
    this.send(message);
    const { id } = message;
    this.watch = setTimeout(() => this.done(id), PATIENCE);
  }

  // The update with this number has been painted, or refused.
  done(id) {
    if (id !== this.flying) return;
    clearTimeout(this.watch);
    this.flying = 0;
    this.flush();
  }
}
