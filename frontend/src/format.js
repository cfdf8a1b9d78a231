// How numbers and times are written. Nothing is computed here: every value comes from the kernel.

export function amount(value) {
  if (value === undefined || Number.isNaN(value)) return "none";
  if (!Number.isFinite(value)) return "no bound";
  const size = Math.abs(value);
  if (size >= 1000) return size < 1e7 ? Math.round(value).toLocaleString("en") : value.toExponential(2);
  if (size >= 0.0995 || size === 0) {
    const nudged = value * (1 + 2e-7); // halves go up, in single precision too, as in the words that Python writes
    const text = nudged.toFixed(2);
    return size >= 1 || Math.abs(nudged - Number(text)) <= 0.005 * size ? text : nudged.toFixed(3);
  }
  return size < 1e-4 ? value.toExponential(1) : String(Number(value.toPrecision(2)));
}

export function metres(value) {
  if (value === undefined || Number.isNaN(value)) return "none";
  if (value < 999.5) return value < 10 ? `${Number(value.toPrecision(3))} m` : `${Math.round(value)} m`;
  return value < 99950 ? `${(value / 1000).toFixed(1)} km` : `${Math.round(value / 1000).toLocaleString("en")} km`;
}

const pad = (number) => String(number).padStart(2, "0");

// UTC: the track's times are kept in UTC, and the page says so.
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
