// How numbers and times are written. Nothing is computed here: every value comes from the kernel, and `amounts.py` writes
// numbers in sentences the same way; a test compares the two.

const HALF_UP = 2e-7; // above the error of single precision, in which most values come: halves are rounded up

// A number with this many decimals: rounded to the nearest, or up.
const nearest = (value, decimals) => value.toFixed(decimals);
const upward = (value, decimals) => (Math.ceil(value * 10 ** decimals) / 10 ** decimals).toFixed(decimals);

// A whole number with commas; from 100,000 on its first four digits, as single precision holds no more than seven.
function grouped(value, rounded = nearest) {
  const unit = Math.abs(value) < 99999.5 ? 1 : 10 ** (Math.floor(Math.log10(Math.abs(value))) - 3);
  return (Number(rounded(value / unit, 0)) * unit).toLocaleString("en", { maximumFractionDigits: 0 });
}

export function amount(value) {
  return written(value * (1 + HALF_UP), nearest);
}

// A loss, or a sum of budgets: rounded up, as where a sentence says "at most".
export function bound(value) {
  return written(value * (1 - HALF_UP), upward);
}

function written(value, rounded) {
  if (!Number.isFinite(value)) return notFinite(value);
  const size = Math.abs(value);
  if (size >= 99.95) return size < 9_999_500 ? grouped(value, rounded) : exponential(value, 2, rounded);
  if (size >= 9.995) return rounded(value, 1).replace(/\.0$/, "");
  if (size >= 0.0995 || size === 0) {
    const text = rounded(value, 2);
    return size >= 1 || Math.abs(value - Number(text)) <= 0.005 * size ? text.replace(/\.00$/, "") : rounded(value, 3);
  }
  return digits(value, 2, rounded);
}

export function metres(value) {
  if (!Number.isFinite(value)) return notFinite(value);
  if (value < 1e-3) return value === 0 ? "0 m" : "below 1 mm";
  const nudged = value * (1 + HALF_UP);
  if (nudged < 999.5) return nudged < 9.995 ? `${digits(nudged, nudged < 1 ? 2 : 3)} m` : `${Math.round(nudged)} m`;
  return nudged < 99950 ? `${(nudged / 1000).toFixed(1)} km` : `${grouped(nudged / 1000)} km`;
}

export function percent(share) {
  if (share === undefined || Number.isNaN(share)) return "none";
  const value = 100 * share;
  if (value === 0) return "0 %";
  if (value < 1e-8) return "less than 0.00000001 %";
  const nudged = value * (1 + HALF_UP);
  if (nudged >= 9.95) return `${Math.round(nudged)} %`;
  return `${trimmed(nudged.toFixed(Math.max(0, 1 - Math.floor(Math.log10(nudged)))))} %`;
}

const BEFORE_UNIT = /(\d) (?=(?:%|[mck]?m|k?W|MB|m?s|min)(?![\p{L}\p{N}]))/gu;

// A text in which no line ends between a number and its unit.
export const unbroken = (text) => text.replace(BEFORE_UNIT, "$1\u00a0");

function notFinite(value) {
  return value === undefined || Number.isNaN(value) ? "none" : "no bound";
}

// Significant digits of a number below 10, trailing zeros left out; as a power of ten below 1e-4.
function digits(value, significant, rounded = nearest) {
  if (Math.abs(value) < 1e-4) return exponential(value, significant - 1, rounded);
  return trimmed(rounded(value, significant - 1 - Math.floor(Math.log10(Math.abs(value)))));
}

function exponential(value, decimals, rounded = nearest) {
  const [mantissa, power] = value.toExponential().split("e");
  const [said, more] = rounded(Number(mantissa), decimals).toString().split(".");
  const shift = said === "10" ? 1 : 0; // rounded to the next power of ten
  return `${shift ? "1" : trimmed(more ? `${said}.${more}` : said)}e${Number(power) + shift}`;
}

function trimmed(text) {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

const pad = (number) => String(number).padStart(2, "0");

// Times come as milliseconds of the clock that is shown, whichever zone it is in: what is read off them here is that clock.
export function clock(milliseconds) {
  const date = new Date(milliseconds);
  return `${pad(date.getUTCHours())}:${pad(date.getUTCMinutes())}`;
}

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

export function shortDay(milliseconds) {
  const date = new Date(milliseconds);
  return `${DAYS[date.getUTCDay()]} ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`;
}

export function day(milliseconds) {
  const date = new Date(milliseconds);
  return `${DAYS[date.getUTCDay()]} ${date.getUTCFullYear()}-${pad(date.getUTCMonth() + 1)}-${pad(date.getUTCDate())}`;
}
