import { InvalidArgumentError } from 'commander';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../contract/durations.ts';
import { createLiveEnv } from '../../env/index.ts';
import { INTENT_STATES, isCursor, type IntentState } from '../../journal/index.ts';
import { parseInstant } from './parseInstant.ts';

/** Reads `unknown,unresolved`. */
export function readStates(text: string): IntentState[] {
  return text.split(',').map((state) => {
    const known = INTENT_STATES.find((one) => one === state.trim());
    if (known === undefined) {
      throw new InvalidArgumentError(`States are ${INTENT_STATES.join(', ')}.`);
    }
    return known;
  });
}

const UNITS_MS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

/** A time, epoch milliseconds, or a span before the end of what is looked at. */
export type Since = { time: number } | { spanMs: number };

/** The time at which it begins. */
export const timeOf = (since: Since, end: number): number =>
  'time' in since ? since.time : end - since.spanMs;

/** Reads a date, or how long ago: wall time, epoch milliseconds. */
export const readSince = (text: string): number =>
  timeOf(readTimeOrSpan(text), createLiveEnv().clock.wallNow());

/** Reads a date or a span. Market time has another end than now. */
export function readTimeOrSpan(text: string): Since {
  const span = /^(\d+)([mhd])$/.exec(text);
  if (span !== null) return { spanMs: Number(span[1]) * UNITS_MS[span[2]!]! };
  const time = parseInstant(text);
  if (!Number.isNaN(time)) return { time };
  throw new InvalidArgumentError('It takes 30m, 2h, 7d, 2026-01-31 or 2026-01-31T12:00.');
}

/** Reads what a page ended with. */
export function readCursor(text: string): string {
  if (isCursor(text)) return text;
  throw new InvalidArgumentError('It takes the cursor with which the page before ended.');
}

/** Reads how many intents a page has. */
export function readLimit(text: string): number {
  const value = Number(text);
  if (/^[1-9]\d*$/.test(text) && value <= 1_000) return value;
  throw new InvalidArgumentError('It takes a whole number from 1 to 1000.');
}
