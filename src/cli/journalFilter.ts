import { InvalidArgumentError } from 'commander';
import { createLiveEnv } from '../env/index.ts';
import { INTENT_STATES, isCursor, type IntentState } from '../journal/index.ts';
import { parseInstant } from './parseInstant.ts';

/** Reads `unknown,sent`. */
export function readStates(text: string): IntentState[] {
  return text.split(',').map((state) => {
    const known = INTENT_STATES.find((one) => one === state.trim());
    if (known === undefined) {
      throw new InvalidArgumentError(`States are ${INTENT_STATES.join(', ')}.`);
    }
    return known;
  });
}

const UNITS_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads a date, or how long ago: wall time, epoch milliseconds. */
export function readSince(text: string): number {
  const span = /^(\d+)([mhd])$/.exec(text);
  if (span !== null) {
    return createLiveEnv().clock.wallNow() - Number(span[1]) * UNITS_MS[span[2]!]!;
  }
  const time = parseInstant(text);
  if (!Number.isNaN(time)) return time;
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
