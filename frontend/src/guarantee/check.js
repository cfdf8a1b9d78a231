// What can be verified about a private release from its guarantee and its file alone: the statements of
// `lmdk release --check --received`, in the same words; a test compares the two.

import { sha256 } from "./sha256.js";

const EARTH_RADIUS_M = 6_371_008.8;
const ROOT_2 = 99 / 70; // just above the square root of 2, as the noise was computed with
const GROUND = 1.006; // a length in the frame is at most this many times that on the ground
const DEGREES_M = 0.02; // a place rounded to seven decimals is within this distance of the one drawn
const [LARGEST_NOISE, ROUND_THE_EARTH_M] = [60, 2e7]; // no noise exceeds the first divided by its epsilon per metre
const ROUND = 1e-9;
const TIME = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;
const NUMBER = String.raw`(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)`;

/** @param {number} degrees */
const radians = (degrees) => (degrees * Math.PI) / 180;

/** @param {number} count @param {string} noun */
export const counted = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

/** A number with six digits, as Python writes it. @param {number} value */
function six(value) {
  if (value === 0) return "0";
  const [digits, power] = value.toExponential(5).split("e");
  const exponent = Number(power);
  const short = (/** @type {string} */ text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
  if (exponent >= -4 && exponent < 6) return short(value.toFixed(5 - exponent));
  return `${short(digits)}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

/** Six digits that are not below the value. @param {number} value */
export function upward(value) {
  const text = six(value);
  return Number(text) >= value ? text : six(value + 10 ** (Math.floor(Math.log10(value)) - 5));
}

/**
 * The rows of release.csv: how many, how many are wrong, and the times and numbers of the others.
 * @param {string} text @param {boolean} places
 */
function rowsOf(text, places) {
  const [heading, ...lines] = text.replace(/\r?\n$/, "").split(/\r?\n/);
  const row = new RegExp(`^(${TIME}),${places ? `${NUMBER},${NUMBER}` : NUMBER}$`);
  let wrong = (places ? /^time,latitude,longitude$/ : /^time,value(_[^,\n"]+)?$/).test(heading) ? 0 : 1;
  const [times, rows] = [/** @type {number[]} */ ([]), /** @type {number[][]} */ ([])];
  for (const line of lines) {
    const found = row.exec(line);
    const time = found ? Date.parse(found[1]) : NaN;
    const exists = Number.isFinite(time) && new Date(time).toISOString() === found[1]; // the 30th of February does not
    const numbers = found ? found.slice(2).map(Number) : [];
    if (exists && numbers.every(Number.isFinite)) {
      times.push(time);
      rows.push(numbers);
    } else wrong += 1;
  }
  return { count: lines.length, wrong, times, rows };
}

/** Whether a guarantee contains a number that is not finite. @param {any} told @returns {boolean} */
function isFiniteAll(told) {
  if (typeof told === "number") return Number.isFinite(told);
  return told === null || typeof told !== "object" || Object.values(told).every(isFiniteAll);
}

/** Metres in the flat frame around an origin. @param {number[]} origin @param {number} latitude @param {number} longitude */
function metres([middle, meridian], latitude, longitude) {
  const [phi, lam, phi0] = [radians(latitude), radians(longitude - meridian), radians(middle)];
  const east = Math.cos(phi) * Math.sin(lam);
  const north = Math.cos(phi0) * Math.sin(phi) - Math.sin(phi0) * Math.cos(phi) * Math.cos(lam);
  const up = Math.sin(phi0) * Math.sin(phi) + Math.cos(phi0) * Math.cos(phi) * Math.cos(lam);
  const sine = Math.hypot(east, north);
  const scale = sine > 1e-15 ? Math.atan2(sine, up) / sine : 1;
  return [EARTH_RADIUS_M * scale * east, EARTH_RADIUS_M * scale * north];
}

/** The rectangle that bounds a region in its own frame, metres. @param {number[]} limits @param {number[]} origin */
function bounds([south, west, north, end], origin) {
  const east = end < west ? end + 360 : end; // across the date line
  const low = [Infinity, Infinity];
  const high = [-Infinity, -Infinity];
  for (let k = 0; k <= 64; k++) {
    const [latitude, longitude] = [south + (k / 64) * (north - south), west + (k / 64) * (east - west)];
    const edge = [
      [latitude, west],
      [latitude, east],
      [south, longitude],
      [north, longitude],
    ];
    for (const [phi, lam] of edge) {
      metres(origin, phi, lam).forEach((value, axis) => {
        low[axis] = Math.min(low[axis], value);
        high[axis] = Math.max(high[axis], value);
      });
    }
  }
  return [low, high];
}

/** @param {any} told @param {number[][]} rows @returns {{ holds: boolean | null, text: string }[]} */
function places(told, rows) {
  const { origin } = told.frame;
  const step = told.lattice_step_m;
  const box = told.region ? bounds(told.region, origin) : null;
  let [off, beyond] = [0, 0];
  for (const [latitude, longitude] of rows) {
    const at = metres(origin, latitude, longitude);
    const free = (/** @type {number} */ value, /** @type {number} */ axis) =>
      !(Math.abs(value - Math.round(value / step) * step) <= DEGREES_M) && !box?.some((end) => Math.abs(value - end[axis]) <= DEGREES_M); // moved to the edge afterwards
    if (at.some(free)) off += 1;
    if (box && at.some((value, axis) => value < box[0][axis] - DEGREES_M || value > box[1][axis] + DEGREES_M)) beyond += 1;
  }
  const found = [{ holds: !off, text: `${counted(off, "place")} off the lattice of ${six(step)} m.` }];
  if (step <= 2 * DEGREES_M) {
    found[0] = { holds: null, text: `The lattice of ${six(step)} m is finer than the digits of the places.` };
  } else if (!box && LARGEST_NOISE / ROUND_THE_EARTH_M > told.epsilon_per_m_of_a_point[0]) {
    found[0] = { holds: null, text: "The noise is large enough for places to go round the Earth, and off the lattice." };
  }
  return box ? [...found, { holds: !beyond, text: `${counted(beyond, "place")} outside the region.` }] : found;
}

/** The least and the most that the stated noise can have spent. @param {any} told @param {number} n */
function noise(told, n) {
  const measured = Math.max(0, told.landmarks - (told.timestamps - n));
  const apart = told.frame ? (told.protection_radius_m + ROOT_2 * told.lattice_step_m) * GROUND : 1;
  const [low, high] = (told.epsilon_per_m_of_a_point ?? told.epsilon_of_a_value).map((/** @type {number} */ rate) => rate * apart);
  const [whole, largest] = [told.sum_over_all_timestamps, told.largest_sum_over_landmarks_and_one_other];
  const comparing = told.comparison_budget ?? 0;
  const of = Math.min(told.landmarks + 1, told.timestamps);
  const least = high + low * (Math.min(measured + 1, n) - 1) + comparing * of; // the largest budget is always in it
  const most = high * Math.min(of, n) + comparing * of;
  const spent = (/** @type {number} */ one, /** @type {number} */ other) => one + other * (n - 1) + comparing * told.timestamps;
  const [from, to] = [spent(high, low), spent(low, high)];
  const said = `the guarantee says ${upward(whole)}.`;
  return [
    {
      holds: from * (1 - ROUND) <= whole && whole <= to * (1 + ROUND),
      text: `According to the noise, ${counted(n, "row")} spend between ${upward(from)} and ${upward(to)}; ${said}`,
    },
    {
      holds: least * (1 - ROUND) <= largest && largest <= most * (1 + ROUND),
      text: `According to the noise, the landmarks and any one other timestamp spend between ${upward(least)} and ${upward(most)}; the guarantee says ${upward(largest)}.`,
    },
  ];
}

/** Whether the total stated for all releases is at least that of this one. @param {any} told */
function every(told) {
  const all = told.all_releases_of_the_subject;
  if (!all) return [];
  const [largest, whole] = [all.largest_sum_over_landmarks_and_one_other_minute, all.sum_over_all_minutes];
  const least = [told.largest_sum_over_landmarks_and_one_other, told.sum_over_all_timestamps];
  const alone = all.releases > 1 || Math.abs(whole - least[1]) <= ROUND * Math.max(whole, least[1]);
  const atLeast = largest >= least[0] * (1 - ROUND) && whole >= least[1] * (1 - ROUND);
  const sums = `the landmarks and any one other minute spend ${upward(largest)}, all minutes ${upward(whole)}`;
  return [
    {
      holds: atLeast && alone && largest <= whole * (1 + ROUND),
      text: `${counted(all.releases, "release")} of the subject together: ${sums}; neither is less than for this release.`,
    },
  ];
}

/** Whether what was released has the digest that the guarantee states. @param {any} told @param {string} text */
export function digest(told, text) {
  if (told.release_sha256 === undefined) {
    const known = "whether a place, a time or the order of rows was changed is not known without the ledger.";
    return { holds: null, text: `The guarantee, by version 1.0 or before, states no digest of release.csv: ${known}` };
  }
  return { holds: sha256(text) === told.release_sha256, text: "release.csv has the digest that the guarantee states." };
}

/**
 * All statements, and whether each holds; null: it cannot be checked.
 * @param {any} told the guarantee, as in guarantee.json
 * @param {string} text release.csv
 */
export function checked(told, text) {
  if (!isFiniteAll(told)) return [{ holds: false, text: "The numbers in guarantee.json are finite." }];
  const { count, wrong, times, rows } = rowsOf(text, Boolean(told.frame));
  const said = told.points ?? told.values;
  const found = [
    digest(told, text),
    { holds: count === said, text: `release.csv has ${counted(count, "row")}, the guarantee says ${said}.` },
    { holds: !wrong, text: `${counted(wrong, "line")} of release.csv without a time and finite numbers.` },
  ];
  if (wrong || !count) return found;
  const behind = times.filter((time, k) => time < times[k - 1]).length;
  const only = "Only the owner’s ledger shows that the sums in the guarantee are right, and that both files are those that were";
  const unnoticed = "someone who changed guarantee.json and release.csv together goes unnoticed without it.";
  return [
    ...found,
    { holds: !behind, text: `${counted(behind, "row")} earlier than the row before.` },
    ...(told.frame ? places(told, rows) : []),
    ...noise(told, rows.length),
    ...every(told),
    { holds: null, text: `${only} released: ${unnoticed}` },
  ];
}
