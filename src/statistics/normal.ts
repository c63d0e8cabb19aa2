/** Beyond this many deviations a double is 0 or 1. */
const FAR = 38;
/** From here on the series loses digits to cancellation, and the continued fraction is short. */
const TAIL = 5;
const TERMS = 60;
const HALVINGS = 200;

const density = (x: number): number => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);

/**
 * Φ(x), to about 1e-15: the series ½ + φ(x) Σ x²ⁿ⁺¹ / (1·3·…·(2n+1)) (Marsaglia, "Evaluating the Normal
 * Distribution", 2004), and Laplace's continued fraction in the tails.
 */
export function normalCdf(x: number): number {
  if (x > TAIL) return 1 - upperTail(x);
  if (x < -TAIL) return upperTail(-x);
  let [term, sum] = [x, x];
  for (let odd = 3; Math.abs(term) > 1e-17 * Math.abs(sum); odd += 2) {
    term *= (x * x) / odd;
    sum += term;
  }
  return 0.5 + density(x) * sum;
}

function upperTail(x: number): number {
  if (x > FAR) return 0;
  let fraction = x;
  for (let term = TERMS; term > 0; term--) fraction = x + term / fraction;
  return density(x) / fraction;
}

/** Φ⁻¹(p) for p between 0 and 1, by bisection; ∓Infinity at the ends. */
export function normalQuantile(p: number): number {
  if (p <= 0) return -Infinity;
  if (p >= 1) return Infinity;
  let [low, high] = [-FAR, FAR];
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (normalCdf(middle) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
