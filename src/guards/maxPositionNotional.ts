import { endless } from './endless.ts';
import { enlarging } from './enlarging.ts';
import { isWithin } from '../contract/bounds.ts';
import type { Side } from '../contract/index.ts';
import { PASSED, type Guard, type GuardSnapshot } from './Guard.ts';
import type { GuardLimits } from './GuardLimits.ts';
import { exposureOf } from './exposureOf.ts';

/** Notional of a symbol with everything pending. */
export function maxPositionNotional(limits: GuardLimits): Guard {
  return (intent, snapshot) => {
    const limit = limits.max_position_notional;
    if (limit === undefined) return PASSED;
    const entries = enlarging(intent.entries);
    const repeated = endless('max_position_notional', entries, limit);
    if (repeated !== undefined) return repeated;
    for (const { symbol, side } of entries) {
      const value = exposureOf(symbol, intent.entries, snapshot);
      if (isWithin(value, limit)) continue;
      const reached = `${symbol} would reach a notional of ${value.toFixed(2)}`;
      const reason = `${reached}${ifClosedFirst(symbol, side, snapshot)}, above ${limit}`;
      return { passed: false, guard: 'max_position_notional', reason, limit, value };
    }
    return PASSED;
  };
}

/** The end of a reason: the position alone would not explain the value. */
function ifClosedFirst(symbol: string, side: Side, snapshot: GuardSnapshot): string {
  const isOpposite = snapshot.position(symbol) * (side === 'buy' ? 1 : -1) < 0;
  if (!isOpposite || snapshot.closing(symbol, side) + snapshot.armed(symbol, side) === 0) return '';
  return ' if what closes its position fills first';
}
