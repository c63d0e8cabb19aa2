import { createRandom } from './Random.ts';

/** Milliseconds: constant, or log-normal by median and 99th percentile. */
export type DelaySetting = number | { median: number; p99: number };

/** A delay in whole milliseconds; the same name gives the same one. */
export type Delay = (name: string | number) => number;

/** 99 % of a normal distribution lie below this many standard deviations above its mean. */
const Z99 = 2.326_347_874_040_841;

/**
 * Draws delays from a seed by name, not in sequence: other draws, and their order, change none.
 *
 * @param seed of the run, with the subject of the delay
 */
export function createDelay(setting: DelaySetting, seed: string): Delay {
  if (typeof setting === 'number') return () => Math.round(setting);
  const { median, p99 } = setting;
  const sigma = Math.log(p99 / median) / Z99;
  return (name) => {
    const random = createRandom(`${seed} ${name}`);
    // Box–Muller transform; 1 − u, since a uniform number may be 0.
    const radius = Math.sqrt(-2 * Math.log(1 - random.next()));
    const normal = radius * Math.cos(2 * Math.PI * random.next());
    return Math.round(median * Math.exp(sigma * normal));
  };
}
