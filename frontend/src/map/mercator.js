// Web Mercator: where a latitude and a longitude lie in the world at zoom 0, 256 pixels wide.

export const WORLD = 256; // side of the world at zoom 0, pixels
const MAX_LATITUDE = 85.0511287798;

function worldX(longitude) {
  return ((longitude + 180) / 360) * WORLD;
}

function worldY(latitude) {
  const clamped = Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, latitude));
  const sine = Math.sin((clamped * Math.PI) / 180);
  return (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * WORLD;
}

export const longitudeOf = (x) => (x / WORLD) * 360 - 180;

export const latitudeOf = (y) => (Math.atan(Math.sinh(2 * Math.PI * (0.5 - y / WORLD))) * 180) / Math.PI;

// Longitudes made continuous, so that a track across the antimeridian is drawn in one piece; `near` follows another track.
export function unwrap(longitudes, near = null) {
  const out = new Float64Array(longitudes.length);
  let before = longitudes[0];
  for (let i = 0; i < out.length; i++) {
    const reference = near ? near[i] : before;
    out[i] = longitudes[i] - 360 * Math.round((longitudes[i] - reference) / 360);
    before = out[i];
  }
  return out;
}

/** Moves world pixels by whole turns around the Earth to the side of the antimeridian on which another one lies.
 * @param {Float64Array} x @param {number} near */
export function moveBeside(x, near) {
  const turn = worldX(360) - worldX(0);
  const turns = Math.round((x[0] - near) / turn);
  if (turns) for (let i = 0; i < x.length; i++) x[i] -= turns * turn;
}

export function project(latitudes, longitudes) {
  const [x, y] = [new Float64Array(longitudes.length), new Float64Array(latitudes.length)];
  for (let i = 0; i < x.length; i++) {
    x[i] = worldX(longitudes[i]);
    y[i] = worldY(latitudes[i]);
  }
  return { x, y };
}
