import type { IntentState } from './IntentState.ts';

interface Row {
  kind: string;
  state: IntentState;
}

/**
 * Whether a final intent stays in the journal beyond its days, as one of the newest `MOST_STANDING`. A monitor stands
 * armed as long as nobody ends it, and of one with a name of its strategy's only the step with which it was accepted says
 * that it is the bot's: without it no kill level and no watchdog would end it.
 */
export function staysWhole({ kind, state }: Row): boolean {
  return kind === 'create_monitor' && state === 'accepted';
}

/** The same as a condition of SQL. */
export const STAYS_WHOLE = `(kind = 'create_monitor' AND state = 'accepted')`;

/**
 * How many of them stay: far more than stand armed at a time, and few enough that a bot which arms one each minute has no
 * journal that grows without end.
 */
export const MOST_STANDING = 10_000;

/** Those of a list that stay, oldest first as it is. */
export const standingOf = <R extends Row>(rows: readonly R[]): R[] =>
  rows.filter(staysWhole).slice(-MOST_STANDING);
