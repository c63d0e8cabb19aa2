import { enlarging } from './enlarging.ts';
import { PASSED, type Guard } from './Guard.ts';
import type { GuardLimits } from './GuardLimits.ts';

/**
 * One entry too many latches the instance: repeated entries need an operator's review first (RTS 6, article
 * 17). Exits pass, and so does what adds nothing: a new price of a resting order is no new entry, and a
 * strategy that follows the market must not trip over it.
 */
export function maxEntriesPerHour(limits: GuardLimits): Guard {
  return (intent, { recentEntries: value, throttled }) => {
    const limit = limits.max_entries_per_hour;
    if (limit === undefined || (enlarging(intent.entries).length === 0 && intent.opaque !== true)) {
      return PASSED;
    }
    if (throttled === undefined && value < limit) return PASSED;
    const count = `${value} entries within an hour, the limit is ${limit}`;
    const reason = throttled ?? `${count}; trimtab rearm lets it enter again`;
    return { passed: false, guard: 'max_entries_per_hour', reason, limit, value };
  };
}
