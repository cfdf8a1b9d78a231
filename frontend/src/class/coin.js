// The coin of randomised response. It is tossed here so that a true answer never leaves this page.

// A number from 0 to below 1 with 53 random bits of the system.
export function uniform() {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2));
  return (high * 2 ** 21 + (low >>> 11)) / 2 ** 53;
}

// What is sent: the true answer with chance `honest`, else any of the `count` answers, all alike.
export function toss(truth, count, honest) {
  if (uniform() < honest) return { sent: truth, honest: true };
  return { sent: Math.floor(uniform() * count), honest: false };
}
