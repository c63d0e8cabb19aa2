import { PASSED, type Guard } from './Guard.ts';
import type { GuardLimits } from './GuardLimits.ts';

/** Message rate of one instance. Exits pass: a flood of entries must not lock a position in. */
export function maxIntentsPerMinute(limits: GuardLimits): Guard {
  return (intent, snapshot) => {
    const limit = limits.max_intents_per_minute;
    const value = snapshot.recentIntents;
    if (limit === undefined || intent.isExit || value < limit) return PASSED;
    const reason = `${value} intents within a minute, the limit is ${limit}`;
    return { passed: false, guard: 'max_intents_per_minute', reason, limit, value };
  };
}
