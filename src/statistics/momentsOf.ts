/** Moments of a sample; NaN if it is too small to have them. */
export interface Moments {
  count: number;
  mean: number;
  /** Sample deviation: divided by count − 1. */
  deviation: number;
  /** Third standardised moment of the population (γ₃). */
  skewness: number;
  /** Fourth standardised moment of the population (γ₄), 3 for a normal distribution. */
  kurtosis: number;
}

/** Deviations below this share of the mean are float residue of zero. */
const NOISE = 1e-12;

export function momentsOf(values: ArrayLike<number>): Moments {
  const count = values.length;
  let sum = 0;
  for (let at = 0; at < count; at++) sum += values[at]!;
  const mean = sum / count;
  const [second, third, fourth] = centralSums(values, mean);
  const isFlat = Math.sqrt(second / count) <= Math.abs(mean) * NOISE;
  return {
    count,
    mean,
    deviation: count < 2 ? NaN : isFlat ? 0 : Math.sqrt(second / (count - 1)),
    skewness: isFlat ? NaN : third / count / (second / count) ** 1.5,
    kurtosis: isFlat ? NaN : fourth / count / (second / count) ** 2,
  };
}

function centralSums(values: ArrayLike<number>, mean: number): [number, number, number] {
  let [second, third, fourth] = [0, 0, 0];
  for (let at = 0; at < values.length; at++) {
    const off = values[at]! - mean;
    second += off ** 2;
    third += off ** 3;
    fourth += off ** 4;
  }
  return [second, third, fourth];
}
