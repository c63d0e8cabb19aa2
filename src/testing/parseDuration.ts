import { DAY_MS, HOUR_MS, MINUTE_MS } from '../contract/durations.ts';
import { testRefusal } from './testRefusal.ts';

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: MINUTE_MS,
  h: HOUR_MS,
  d: DAY_MS,
  w: 7 * DAY_MS,
};

/** A span of market time: milliseconds, or a number with its unit, such as `90s`, `1h` or `1.5d`. */
export type Duration = number | `${number}${'ms' | 's' | 'm' | 'h' | 'd' | 'w'}`;

/** @returns whole milliseconds */
export function parseDuration(call: string, duration: Duration): number {
  const [, count, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d|w)$/.exec(String(duration)) ?? [];
  const ms =
    typeof duration === 'number' ? duration : wholeOf(Number(count) * (UNIT_MS[unit ?? ''] ?? NaN));
  if (Number.isInteger(ms) && ms >= 0) return ms;
  throw testRefusal(
    `${call}: ${JSON.stringify(duration)} is no span of time.`,
    "Write whole milliseconds from 0, or a number with ms, s, m, h, d or w: '90s', '1h'.",
  );
}

/** 1.1 hours are 3,960,000.0000000005 ms as doubles: the whole number within the error of the product, or the product. */
function wholeOf(product: number): number {
  const whole = Math.round(product);
  return Math.abs(product - whole) <= 2 * Number.EPSILON * product ? whole : product;
}
