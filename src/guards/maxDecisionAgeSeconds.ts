import { PASSED, type DecisionCause, type Guard } from './Guard.ts';
import type { GuardLimits } from './GuardLimits.ts';

/** Limit for events that are not bars, and for the bars of longer intervals. */
const LONGEST_DEFAULT_SECONDS = 300;

/** The age of a decision that is too old, and its limit, milliseconds of market time; undefined if it is not. */
export type DecisionAge = (
  cause: DecisionCause,
  present: number,
) => { reason: string; limit: number; value: number } | undefined;

/**
 * How old a decision is, by the close of the bar or the time of the event that caused it. By default it is
 * valid for its bar's interval, at most 300 s: then the next bar has closed and replaces it.
 */
export function decisionAge(limits: GuardLimits): DecisionAge {
  const set = limits.max_decision_age_seconds;
  return ({ time, intervalMs }, present) => {
    const longest = LONGEST_DEFAULT_SECONDS * 1_000;
    const limit = set === undefined ? Math.min(intervalMs ?? longest, longest) : set * 1_000;
    const value = present - time;
    if (value <= limit) return undefined;
    const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`;
    const reason = `its cause is ${seconds(value)} old, the limit is ${seconds(limit)}`;
    return { reason, limit, value };
  };
}

/** No entry on a bar that closed, or an event that happened, too long ago. */
export function maxDecisionAgeSeconds(limits: GuardLimits): Guard {
  const ageOf = decisionAge(limits);
  return ({ cause, entries, opaque }, { present }) => {
    if (cause === undefined || (entries.length === 0 && opaque !== true)) return PASSED;
    const tooOld = ageOf(cause, present);
    if (tooOld === undefined) return PASSED;
    return { passed: false, guard: 'max_decision_age_seconds', ...tooOld };
  };
}
