import {
  LIMITS,
  type EntryPriceSpec,
  type IndicatorRead,
  type Side,
} from '../../contract/index.ts';
import type { EngineState } from '../engine/EngineState.ts';
import { withinField } from '../engine/withinField.ts';
import type { ReadResult, ReadSpec } from '../market/IndicatorReads.ts';
import type { Account } from '../venue/Account.ts';
import { resolvedPrice } from '../venue/checkGrid.ts';
import type { PriceFromResolution } from '../venue/Order.ts';
import type { EntryWatch } from './EntryWatch.ts';

/**
 * The level at the last closed bar, and the valid price nearest to it (TRK-1).
 *
 * @param path the field that asks for it, for a refusal
 */
export function resolveEntry(
  engine: EngineState,
  symbol: string,
  spec: EntryPriceSpec,
  path: string,
): PriceFromResolution {
  const read = (): Readonly<ReadResult> =>
    engine.reads.read(symbol, spec as IndicatorRead as ReadSpec);
  const { indicator, interval, series, indicator_value, bar_time } = withinField(path, read);
  const { instrument } = engine.market.at(symbol);
  const price = resolvedPrice(path, indicator_value, instrument);
  return { indicator, interval, series, indicator_value, bar_time, price };
}

/** Starts to follow the level on each closed bar of its interval (TRK-2). */
export function trackEntry(
  engine: EngineState,
  account: Account,
  entry: {
    symbol: string;
    side: Side;
    spec: EntryPriceSpec;
    price: number;
    orderId: string | null;
    executionId: string | null;
  },
): EntryWatch {
  const watchId = engine.nextId('wat');
  const { symbol, spec } = entry;
  const { wallet } = account;
  const hook = { symbol, interval: spec.interval, topic: 'track', wallet, id: watchId } as const;
  const watch: EntryWatch = {
    ...entry,
    watchId,
    wallet,
    minMoveBps: spec.min_move_bps ?? LIMITS.defaultMinMoveBps,
    maxDriftBps: spec.max_drift_bps ?? LIMITS.defaultMaxDriftBps,
    firstPrice: entry.price,
    status: 'tracking',
    hook,
  };
  account.entryWatches.set(watchId, watch);
  engine.barHooks.add(hook);
  return watch;
}
