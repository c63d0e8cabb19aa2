import { PASSED, type Guard } from './Guard.ts';
import type { GuardLimits } from './GuardLimits.ts';

/** Executions running in the wallet when another launch is proposed. */
export function maxConcurrentExecutions(limits: GuardLimits): Guard {
  return (intent, snapshot) => {
    const limit = limits.max_concurrent_executions;
    const launches = intent.kind === 'launch' || intent.kind === 'launch_basket';
    const value = snapshot.runningExecutions;
    if (limit === undefined || !launches || intent.isExit || value < limit) return PASSED;
    const reason = `${value} executions are running, the limit is ${limit}`;
    return { passed: false, guard: 'max_concurrent_executions', reason, limit, value };
  };
}
