import { allowedSymbols } from './allowedSymbols.ts';
import { dailyLoss } from './dailyLoss.ts';
import { dataAge } from './dataAge.ts';
import { entryGate } from './entryGate.ts';
import { PASSED, type Guard } from './Guard.ts';
import type { GuardLimits } from './GuardLimits.ts';
import { hasScopes } from './hasScopes.ts';
import { knowsInstrument } from './knowsInstrument.ts';
import { maintainedRows } from './maintainedRows.ts';
import { maxConcurrentExecutions } from './maxConcurrentExecutions.ts';
import { maxGrossNotional } from './maxGrossNotional.ts';
import { maxIntentsPerMinute } from './maxIntentsPerMinute.ts';
import { maxLeverage } from './maxLeverage.ts';
import { maxOrderNotional } from './maxOrderNotional.ts';
import { maxOrderSize } from './maxOrderSize.ts';
import { maxPositionNotional } from './maxPositionNotional.ts';
import { ownsSymbols } from './ownsSymbols.ts';
import { priceCollar } from './priceCollar.ts';
import { showsExposure } from './showsExposure.ts';

/** All guards as one, in the order in which they are asked; the first denial is the answer. */
export function createGuards(limits: GuardLimits): Guard {
  const guards: readonly Guard[] = [
    ownsSymbols,
    knowsInstrument,
    hasScopes,
    entryGate,
    showsExposure,
    allowedSymbols(limits),
    dataAge(limits),
    maxOrderSize(limits),
    maxOrderNotional(limits),
    priceCollar(limits),
    maxPositionNotional(limits),
    maxGrossNotional(limits),
    maxLeverage(limits),
    maintainedRows,
    maxConcurrentExecutions(limits),
    maxIntentsPerMinute(limits),
    dailyLoss(limits),
  ];
  return (intent, snapshot) => {
    for (const guard of guards) {
      const verdict = guard(intent, snapshot);
      if (!verdict.passed) return verdict;
    }
    return PASSED;
  };
}
