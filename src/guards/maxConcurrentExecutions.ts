import { PASSED, type Guard } from './Guard.ts';
import type { GuardLimits } from './GuardLimits.ts';

/**
 * Executions that may run at once in the wallet, with those that the intent may start. What only reduces counts while
 * it runs, and is never denied: of a basket only the legs that enter are asked for.
 */
export function maxConcurrentExecutions(limits: GuardLimits): Guard {
  return (intent, snapshot) => {
    const limit = limits.max_concurrent_executions;
    const own = Math.min(intent.executions ?? 0, intent.entries.length);
    if (limit === undefined || own === 0 || intent.isExit) return PASSED;
    const { runningExecutions: running, startingExecutions: starting } = snapshot;
    const value = running + starting + own;
    if (value <= limit) return PASSED;
    const others = `${running} running and ${starting} that may start`;
    const reason = `${value} executions might run at once (${own} of its own, ${others}), the limit is ${limit}`;
    return { passed: false, guard: 'max_concurrent_executions', reason, limit, value };
  };
}
