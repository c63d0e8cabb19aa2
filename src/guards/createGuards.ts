import { allowedSymbols } from './allowedSymbols.ts';
import { catchUp } from './catchUp.ts';
import { dailyLoss } from './dailyLoss.ts';
import { dataAge } from './dataAge.ts';
import { entryGate } from './entryGate.ts';
import type { EvaluateGuards, Guard, GuardedIntent, GuardSnapshot } from './Guard.ts';
import type { GuardLimits } from './GuardLimits.ts';
import { hasScopes } from './hasScopes.ts';
import { knowsInstrument } from './knowsInstrument.ts';
import { maintainedRows } from './maintainedRows.ts';
import { maxConcurrentExecutions } from './maxConcurrentExecutions.ts';
import { maxDecisionAgeSeconds } from './maxDecisionAgeSeconds.ts';
import { maxEntriesPerHour } from './maxEntriesPerHour.ts';
import { maxGrossNotional } from './maxGrossNotional.ts';
import { maxIntentsPerMinute } from './maxIntentsPerMinute.ts';
import { maxLeverage } from './maxLeverage.ts';
import { maxOrderNotional } from './maxOrderNotional.ts';
import { maxOrderSize } from './maxOrderSize.ts';
import { maxPositionNotional } from './maxPositionNotional.ts';
import { maxUncoveredSeconds } from './maxUncoveredSeconds.ts';
import { ownsSymbols } from './ownsSymbols.ts';
import { priceCollar } from './priceCollar.ts';
import { showsExposure } from './showsExposure.ts';

/**
 * All guards as one, in order of evaluation; the first denial is the verdict. A limit that is not set is no
 * guard: a reader of the passed guards must not take it for checked.
 */
export function createGuards(limits: GuardLimits): EvaluateGuards {
  const guards: Readonly<Record<string, Guard | undefined>> = {
    owns_symbols: ownsSymbols,
    knows_instrument: knowsInstrument,
    has_scopes: hasScopes,
    // Before the gate, which an outage closes too: a denial names what was decided too late.
    catch_up: catchUp,
    max_decision_age_seconds: maxDecisionAgeSeconds(limits),
    entry_gate: entryGate,
    shows_exposure: showsExposure,
    allowed_symbols: ifSet(limits.allowed_symbols, allowedSymbols(limits)),
    data_age: dataAge(limits),
    max_order_size: ifSet(limits.max_order_size, maxOrderSize(limits)),
    max_order_notional: ifSet(limits.max_order_notional, maxOrderNotional(limits)),
    price_collar: ifSet(limits.price_collar_bps, priceCollar(limits)),
    max_position_notional: ifSet(limits.max_position_notional, maxPositionNotional(limits)),
    max_gross_notional: ifSet(limits.max_gross_notional, maxGrossNotional(limits)),
    max_leverage: ifSet(limits.max_leverage, maxLeverage(limits)),
    maintained_rows: maintainedRows,
    max_concurrent_executions: ifSet(
      limits.max_concurrent_executions,
      maxConcurrentExecutions(limits),
    ),
    max_intents_per_minute: ifSet(limits.max_intents_per_minute, maxIntentsPerMinute(limits)),
    max_entries_per_hour: ifSet(limits.max_entries_per_hour, maxEntriesPerHour(limits)),
    max_uncovered_seconds: ifSet(limits.max_uncovered_seconds, maxUncoveredSeconds(limits)),
    daily_loss: ifSet(limits.daily_loss_limit, dailyLoss(limits)),
  };
  const named = Object.entries(guards).filter((entry) => entry[1] !== undefined);
  const names = named.map(([name]) => name);
  const asked = named.map(([, guard]) => guard!);
  const allPassed = { passed: true, passedGuards: names } as const;
  return (intent, snapshot) => {
    for (let index = 0; index < asked.length; index++) {
      const verdict = asked[index]!(intent, snapshot);
      if (!verdict.passed)
        return {
          ...verdict,
          reason: verdict.reason + remedyOf(verdict.guard, intent, snapshot),
          passedGuards: names.slice(0, index),
        };
    }
    return allPassed;
  };
}

/** What these deny passes as an exit. */
const NOT_FOR_EXITS: ReadonlySet<string> = new Set([
  'catch_up',
  'max_decision_age_seconds',
  'entry_gate',
  'data_age',
  'max_position_notional',
  'max_gross_notional',
  'max_leverage',
  'max_entries_per_hour',
  'max_uncovered_seconds',
  'daily_loss',
]);

/** An order that would only close what is held is an exit if it says so: until then others may fill before it. */
function remedyOf(guard: string, { entries }: GuardedIntent, snapshot: GuardSnapshot): string {
  if (!NOT_FOR_EXITS.has(guard) || entries.length === 0) return '';
  const closes = entries.every(({ symbol, side, size }) => {
    const held = snapshot.position(symbol);
    return size > 0 && (side === 'buy' ? -held : held) >= size;
  });
  return closes ? '; to close what is held, set reduce_only: true, on spot too' : '';
}

function ifSet(limit: unknown, guard: Guard): Guard | undefined {
  return limit === undefined ? undefined : guard;
}
