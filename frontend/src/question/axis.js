// An axis: where a value lies as a share of its length, and which values have a tick. It draws nothing.
const STEPS = [1, 2, 5, 10];

export class Axis {
  constructor(low, high, log = false) {
    this.low = low;
    this.high = high;
    this.log = log;
  }

  // 0 at the low end, 1 at the high end; beyond them where a value does.
  share(value) {
    if (this.log) return Math.log(value / this.low) / Math.log(this.high / this.low);
    return this.high === this.low ? 0.5 : (value - this.low) / (this.high - this.low);
  }

  // The value at a share, never beyond an end, to three digits: more were not drawn.
  value(share) {
    const s = Math.min(1, Math.max(0, share));
    const exact = this.log ? this.low * (this.high / this.low) ** s : this.low + s * (this.high - this.low);
    const rounded = Number(exact.toPrecision(3));
    return Math.min(this.high, Math.max(this.low, rounded));
  }

  // Round values, no more than this many.
  ticks(most = 6) {
    return this.log ? this.powers(most) : this.rounds(most);
  }

  rounds(most) {
    const least = (this.high - this.low) / most;
    if (!(least > 0)) return [this.low];
    const power = 10 ** Math.floor(Math.log10(least));
    const step = power * STEPS.find((s) => s * power >= least * (1 - 1e-9));
    const first = Math.ceil(this.low / step - 1e-9);
    const count = Math.floor(this.high / step + 1e-9) - first + 1;
    return Array.from({ length: count }, (_, k) => Number(((first + k) * step).toPrecision(12)));
  }

  powers(most) {
    const from = Math.floor(Math.log10(this.low) + 1e-9);
    const to = Math.ceil(Math.log10(this.high) - 1e-9);
    const decades = Array.from({ length: to - from + 1 }, (_, k) => 10 ** (from + k));
    const fine = decades.flatMap((d) => [d, 2 * d, 5 * d]);
    const inside = (values) => values.filter((v) => v >= this.low * (1 - 1e-9) && v <= this.high * (1 + 1e-9));
    return (inside(fine).length <= most ? inside(fine) : inside(decades)).map((v) => Number(v.toPrecision(12)));
  }
}
