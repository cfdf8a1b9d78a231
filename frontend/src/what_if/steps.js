// Undo and redo, as the kernel keeps them: a drag moves the present and makes one step when it ends.
const MOST = 200;

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

export class Steps {
  constructor(first) {
    this.present = first;
    this.committed = first;
    this.past = [];
    this.future = [];
  }

  copy() {
    return Object.assign(new Steps(this.present), { committed: this.committed, past: [...this.past], future: [...this.future] });
  }

  show(place, commit) {
    this.present = place;
    if (!commit || same(place, this.committed)) return;
    this.past = [...this.past.slice(1 - MOST), this.committed];
    this.committed = place;
    this.future = [];
  }

  get canUndo() {
    return this.past.length > 0;
  }

  get canRedo() {
    return this.future.length > 0;
  }

  undo() {
    return this.back(this.past, this.future);
  }

  redo() {
    return this.back(this.future, this.past);
  }

  back(from, to) {
    if (from.length) {
      to.push(this.committed);
      this.committed = from.pop();
    }
    this.present = this.committed;
    return this.present;
  }
}
