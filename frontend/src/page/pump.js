// One update in flight. What is requested meanwhile waits as one list of operations in which a later value of the same
// choice replaces an earlier one, so a fast drag never queues and its last value always wins. A late answer is requested
// again, which wakes a kernel that missed a message; a lost one delays the rest for a few seconds, not forever.
const LATE = 2000; // milliseconds
const SILENT = 4; // questions
const LOST = 12;

// Whether an operation sets what another one has set: a choice, or a budget.
const isLater = (one, other) => ["set", "budget"].includes(one.op) && ["op", "name", "index", "of"].every((key) => one[key] === other[key]);

export class Pump {
  // waits(on): told when an update is asked for, and when none is in flight any more; silent(): when nobody answers it
  constructor(send, waits = (_on) => {}, silent = () => {}) {
    this.send = send;
    this.waits = waits;
    this.silent = silent;
    this.flying = 0;
    this.held = false;
    this.last = 0;
    this.asked = []; // what is in flight and was not answered yet
    this.waiting = [];
    this.commit = false;
  }

  // commit: the operation ends a gesture and makes a step to undo; a moving slider does not.
  request(operation, commit = true) {
    const before = this.waiting.at(-1);
    if (before && isLater(operation, before)) this.waiting.pop();
    this.waiting.push(operation);
    this.commit ||= commit;
    this.flush();
  }

  // Whether a later value of a choice was requested than the kernel has sent: an answer to an earlier one, or news that
  // nobody requested, must not reset the control.
  awaits(name, op = "set") {
    return [...this.asked, ...this.waiting].some((operation) => operation.op === op && operation.name === name);
  }

  // What was requested but never arrived: another session is asked for it.
  unanswered() {
    return [...this.asked, ...this.waiting];
  }

  // The session has ended: what it did not answer waits, with everything requested meanwhile, until the next one is ready.
  hold() {
    this.stop();
    this.waiting = this.unanswered();
    this.asked = [];
    this.commit ||= this.waiting.length > 0;
    this.flying = 0;
    this.held = true;
  }

  release() {
    if (!this.held) return;
    this.held = false;
    this.waits(false);
    this.flush();
  }

  // Nobody answers any more.
  stop() {
    clearInterval(this.watch);
  }

  // The numbers of the update with this number have arrived: they are valid, though not painted yet.
  answered(id) {
    if (id === this.flying) this.asked = [];
  }

  flush() {
    if (this.held || this.flying || !this.waiting.length) return;
    this.flying = ++this.last;
    const message = { type: "change", id: this.flying, operations: this.waiting, commit: this.commit };
    this.asked = this.waiting;
    this.waiting = [];
    this.commit = false;
    this.send(message);
    this.waits(true);
    let asked = 0;
    this.watch = setInterval(() => {
      if (++asked === SILENT) this.silent();
      if (asked < LOST) this.send({ type: "late" });
      else this.done(message.id);
    }, LATE);
  }

  // The update with this number has been painted, or refused.
  done(id) {
    if (id !== this.flying) return;
    clearInterval(this.watch);
    this.asked = [];
    this.flying = 0;
    this.flush();
    if (!this.flying) this.waits(false);
  }
}
