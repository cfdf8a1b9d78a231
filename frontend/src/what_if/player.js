// Takes the place of a page's kernel and plays a recording: it takes what the page asks, moves to the setting that is asked
// for, or to the nearest stop, and sends the messages that the kernel sent there. It computes nothing of privacy.
import { StandIn } from "../page/stand_in.js";
import { Steps } from "./steps.js";

const QUIET = ["late", "cancel", "resume", "cancel-upload", "library"];

export class Player extends StandIn {
  // recording: a Recording
  constructor(recording) {
    super();
    this.recording = recording;
    const { open, free, begins, states } = recording.index;
    this.open = open;
    this.free = free; // choices that only select what is looked at
    this.looked = {};
    this.states = states;
    this.steps = new Steps(begins);
    this.begins = begins;
    this.sent = {}; // by the type of a drawing, the number of the message that was sent last
  }

  // Answered as a kernel answers, once the page has gone on.
  send(message) {
    setTimeout(() => this.answer(message));
  }

  // -- what the kernel does

  answer(message) {
    const { type, view } = message;
    if (type === "ready") {
      this.tell(this.recording.index.options, { view });
      this.announce({ view });
    } else if (type === "change") this.change(message);
    else if (!QUIET.includes(type)) this.refuse("That needs the program: it is not part of this file.", message);
  }

  change(message) {
    const { operations, commit, id, view } = message;
    const before = this.steps.copy();
    let at = this.steps.present;
    this.said = "";
    for (const operation of operations) {
      const next = this.moved(at, operation);
      if (typeof next === "string") {
        this.steps = before;
        return this.refuse(next, message);
      }
      at = next;
    }
    const refused = this.states[this.number(at)];
    if (typeof refused === "string") {
      this.steps = before;
      return this.refuse(refused, message);
    }
    this.steps.show(at, commit);
    this.announce({ id, asked: view });
    if (this.said && commit) this.hand({ type: "say", text: this.said });
  }

  // The positions of the controls after an operation, or a sentence on why there are none.
  moved(at, operation) {
    const { op } = operation;
    if (op === "undo") return this.steps.undo();
    if (op === "redo") return this.steps.redo();
    if (op === "reset") return this.begins;
    const wanted = this.wanted(at, operation);
    return typeof wanted === "string" ? wanted : Object.entries(wanted).reduce((now, [name, value]) => this.placed(now, name, value), at);
  }

  // The values that an operation asks for, by the names of choices.
  wanted(at, { op, name, value, index, indices, on, ...more }) {
    if (op === "set" && this.knows(name)) return { [name]: value };
    if (op === "set" && this.free.includes(name)) {
      this.looked[name] = value;
      return {};
    }
    if (op === "set" && typeof value === "boolean") return {}; // a fold, which stays as it is: boxes are disabled
    if (op === "set") return this.fixed(name);
    if (op === "go") {
      const known = Object.entries(more).filter(([one]) => this.knows(one));
      return known.length ? Object.fromEntries(known) : this.fixed();
    }
    if (op === "pin" && this.knows("pinned")) return { pinned: this.control("pinned").values.at(-1) };
    if ((op === "toggle" || op === "mark") && this.knows("landmarks")) {
      const marked = new Set(this.value(at, "landmarks"));
      for (const i of indices ?? [index]) {
        if (on ?? !marked.has(i)) marked.add(i);
        else marked.delete(i);
      }
      return { landmarks: [...marked].sort((a, b) => a - b) };
    }
    return this.fixed(op === "toggle" || op === "mark" ? "landmarks" : undefined);
  }

  // The positions with one control at a value, or at the nearest stop.
  placed(at, name, value) {
    const k = this.open.findIndex((control) => control.name === name);
    const { label, values } = this.open[k];
    const found = nearest(values, value);
    if (typeof value === "number" && values[found] !== value) this.said = `This file has ${label} at ${values.length} stops; the nearest is ${values[found]}.`;
    return at.map((now, j) => (j === k ? (found < 0 ? now : found) : now));
  }

  control(name) {
    return this.open.find((each) => each.name === name);
  }

  knows(name) {
    return Boolean(this.control(name));
  }

  value(at, name) {
    const k = this.open.findIndex((each) => each.name === name);
    return this.open[k].values[at[k]];
  }

  number(at) {
    return at.reduce((number, place, k) => number * this.open[k].values.length + place, 0);
  }

  fixed(name) {
    const { recorded, fields } = this.recording.message(this.recording.index.options).message;
    const label = fields[name]?.label;
    return `${label ? `“${label}” is fixed here` : "That is fixed here"}: ${recorded.sentence[0].toLowerCase()}${recorded.sentence.slice(1)}`;
  }

  // Sends the text, then the drawings that have changed, and the main one in any case.
  announce(extra) {
    const [numbers, ...drawings] = this.states[this.number(this.steps.present)];
    const { choices } = this.recording.message(numbers).message;
    this.tell(numbers, { choices: { ...choices, ...this.looked }, can_undo: this.steps.canUndo, can_redo: this.steps.canRedo, ...extra });
    for (const number of drawings) {
      const { message, buffers } = this.recording.message(number);
      const answers = message.type === "draw" || "view" in extra;
      if (answers || this.sent[message.type] !== number) this.hand({ ...message, ...extra }, buffers);
      this.sent[message.type] = number;
    }
  }

  tell(number, more) {
    this.hand({ ...this.recording.message(number).message, ...more });
  }
}

// The index of a value among others, or of the nearest number; -1 where there is none.
function nearest(values, value) {
  const text = JSON.stringify(value);
  const same = values.findIndex((each) => JSON.stringify(each) === text);
  if (same >= 0 || typeof value !== "number" || !Number.isFinite(value)) return same;
  const log = values.every((each) => each > 0) && value > 0;
  const far = (each) => Math.abs(log ? Math.log(each / value) : each - value);
  return values.reduce((best, each, k) => (far(each) < far(values[best]) ? k : best), 0);
}
