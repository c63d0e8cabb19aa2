import { PASSED, type Guard } from './Guard.ts';
import type { GuardLimits } from './GuardLimits.ts';

/** Entries on listed symbols only; an exit from any symbol passes. */
export function allowedSymbols(limits: GuardLimits): Guard {
  return (intent) => {
    const allowed = limits.allowed_symbols;
    const refused = intent.entries.find((entry) => allowed?.includes(entry.symbol) === false);
    if (refused === undefined) return PASSED;
    return { passed: false, guard: 'allowed_symbols', reason: `${refused.symbol} is not allowed` };
  };
}
