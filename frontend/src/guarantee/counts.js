// What can be verified about a private release of counts from its guarantee and its file alone: the first statements of
// `lmdk release --check --received`, in the same words; a test compares the two.

import { counted, digest } from "./check.js";

const HOUR_MS = 3_600_000;
const WEEK_H = 168;
const PLACES = { presence: 1, trips: 2, dwell: 1 };
const HEADINGS = {
  presence: "latitude,longitude",
  trips: "from_latitude,from_longitude,to_latitude,to_longitude",
  dwell: "latitude,longitude,stayed_h_from",
};
const ROUNDED = 1e-6; // places have six decimals

/** The time slots in their order, as release.csv writes them. @param {any} told */
function slotsOf(told) {
  const [from, until] = [told.from, told.until].map((hour) => Date.parse(`${hour}:00Z`)); // by the clock of the zone
  const many = (told.weekly ? WEEK_H : (until - from) / HOUR_MS) / told.slot_h;
  return Array.from({ length: many }, (_, k) =>
    told.weekly ? String(k * told.slot_h) : new Date(from + k * told.slot_h * HOUR_MS).toISOString().slice(0, 16),
  );
}

/** Whether a latitude and a longitude are in a region. @param {number[]} region @param {number[]} place */
function isIn([south, west, north, east], [latitude, longitude]) {
  const [after, before] = [longitude >= west - ROUNDED, longitude <= east + ROUNDED];
  return latitude >= south - ROUNDED && latitude <= north + ROUNDED && (west <= east ? after && before : after || before);
}

/**
 * All statements, and whether each holds; null: it cannot be checked.
 * @param {any} told the guarantee, as in guarantee.json
 * @param {string} text release.csv
 */
export function checkedCounts(told, text) {
  const what = /** @type {"presence" | "trips" | "dwell"} */ (told.counted);
  const [heading, ...lines] = (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
  const place = String.raw`-?\d+\.\d{6},-?\d+\.\d{6}`;
  const where = Array(PLACES[what]).fill(place).join(",") + (what === "dwell" ? String.raw`,\d+(?:\.\d+)?` : "");
  const row = new RegExp(String.raw`^(${told.weekly ? String.raw`\d+` : String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d`}),(${where}),-?\d+$`);
  const rows = lines.map((line) => row.exec(line));
  const first = `${told.weekly ? "hour_of_week" : "time"},${HEADINGS[what]},count`;
  const wrong = rows.filter((found) => !found).length + (heading === first ? 0 : 1);
  const statements = [
    digest(told, text),
    {
      holds: rows.length === told.counts,
      text: `release.csv has ${counted(rows.length, "row")}, the guarantee says ${told.counts.toLocaleString("en")}.`,
    },
    { holds: !wrong, text: `${counted(wrong, "line")} of release.csv without a time slot, its places and a whole number.` },
  ];
  if (wrong || !rows.length) return statements;
  const slots = slotsOf(told);
  const kinds = Math.max(1, Math.floor(told.counts / slots.length));
  const places = rows.slice(0, kinds).map((found) => found?.[2] ?? "");
  const other = rows.filter((found, k) => found?.[1] !== slots[Math.floor(k / kinds)] || found?.[2] !== places[k % kinds]).length;
  const beyond = places.filter((text) => {
    const numbers = text.split(",").map(Number);
    return !isIn(told.region, numbers) || (what === "trips" && !isIn(told.region, numbers.slice(2)));
  }).length;
  const twice = places.length - new Set(places).size;
  const only = "Only the owner’s ledger shows that these files are those that were released, and how often the table was.";
  return [
    ...statements,
    { holds: !other, text: `${counted(other, "row")} without the next time slot of the period, or without the next of its places.` },
    { holds: !beyond && !twice, text: `${counted(beyond, "place")} outside the region, ${counted(twice, "place")} there twice.` },
    { holds: null, text: only },
  ];
}
