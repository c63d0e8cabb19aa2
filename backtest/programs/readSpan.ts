import { withCode } from '../../src/contract/index.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/contract/durations.ts';
import { nameOf } from './requireOptions.ts';

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: MINUTE_MS,
  h: HOUR_MS,
  d: DAY_MS,
};

/**
 * A span of time: `'90s'`, `'5m'`, `'1h'`, `'2d'`, or milliseconds.
 *
 * @returns milliseconds
 * @throws RangeError for a value that is no span, or below zero
 */
export function readSpan(span: string | number): number {
  const [, count = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(String(span)) ?? [];
  const milliseconds = typeof span === 'number' ? span : Number(count || Number.NaN) * UNITS[unit]!;
  if (Number.isFinite(milliseconds) && milliseconds >= 0) return milliseconds;
  const remedy = "write '90s', '5m', '1h' or '2d', or milliseconds of 0 or more";
  throw withCode('TRIMTAB_USAGE', new RangeError(`${nameOf(span)} is no span of time: ${remedy}.`));
}
