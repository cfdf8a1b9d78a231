// SHA-256 (FIPS 180-4). A browser's own works only on secure pages, and a page of a release is often opened as a file.

/** The first bits of the fractional parts of roots of the first primes. @param {number} count @param {number} root */
function fractions(count, root) {
  const found = [];
  for (let n = 2; found.length < count; n++) {
    let prime = true;
    for (let k = 2; k * k <= n; k++) prime &&= n % k !== 0;
    if (prime) found.push(((n ** (1 / root) % 1) * 2 ** 32) | 0);
  }
  return found;
}

const START = fractions(8, 2);
const ROUNDS = fractions(64, 3);

/** @param {number} x @param {number} n */
const turned = (x, n) => (x >>> n) | (x << (32 - n));

/** The digest of a text in UTF-8, as 64 hexadecimal digits. @param {string} text */
export function sha256(text) {
  const bytes = new TextEncoder().encode(text);
  const padded = new DataView(new ArrayBuffer((((bytes.length + 8) >> 6) + 1) << 6));
  bytes.forEach((byte, k) => padded.setUint8(k, byte));
  padded.setUint8(bytes.length, 0x80);
  padded.setUint32(padded.byteLength - 8, Math.floor(bytes.length / 2 ** 29));
  padded.setUint32(padded.byteLength - 4, bytes.length * 8);
  const sums = [...START];
  const w = new Int32Array(64);
  for (let at = 0; at < padded.byteLength; at += 64) {
    for (let t = 0; t < 64; t++) {
      if (t < 16) w[t] = padded.getInt32(at + 4 * t);
      else {
        const [x, y] = [w[t - 15], w[t - 2]];
        const low = turned(x, 7) ^ turned(x, 18) ^ (x >>> 3);
        const high = turned(y, 17) ^ turned(y, 19) ^ (y >>> 10);
        w[t] = (w[t - 16] + low + w[t - 7] + high) | 0;
      }
    }
    let [a, b, c, d, e, f, g, h] = sums;
    for (let t = 0; t < 64; t++) {
      const first = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[t] + w[t]) | 0;
      const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((value, k) => {
      sums[k] = (sums[k] + value) | 0;
    });
  }
  return sums.map((value) => (value >>> 0).toString(16).padStart(8, "0")).join("");
}
