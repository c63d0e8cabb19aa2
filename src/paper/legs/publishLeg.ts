import type { EngineState } from '../engine/EngineState.ts';
import type { EntryWatch } from '../tracking/EntryWatch.ts';
import type { Leg } from './Leg.ts';

type LegEvent = 'leg_armed' | 'trail_moved' | 'leg_triggered' | 'leg_retired' | 'leg_rejected';
type EntryEvent = 'entry_moved' | 'entry_hold' | 'entry_tracking_stopped' | 'entry_retired';

/** A leg as a row of `tpsl.watch` (STR-3). */
export function legRow(leg: Leg) {
  const { record } = leg;
  return {
    watch_kind: 'leg',
    leg_id: record.leg_id,
    kind: record.kind,
    symbol: record.symbol,
    order_id: leg.orderId,
    execution_id: leg.executionId,
    trigger_price: record.resolution?.trigger_price ?? null,
    status: record.status,
    form: record.form,
    size: record.size,
    coupled: record.coupled,
    error: record.error,
  };
}

export function publishLeg(engine: EngineState, leg: Leg, event: LegEvent): void {
  if (!engine.hasListener) return;
  const { wallet } = leg;
  const keys = { symbol: leg.record.symbol };
  engine.emit({ channel: 'tpsl.watch', event, wallet, keys, data: legRow(leg) });
}

/** A tracked entry as a row of `tpsl.watch`. */
export function entryRow(watch: EntryWatch) {
  return {
    watch_kind: 'entry',
    watch_id: watch.watchId,
    symbol: watch.symbol,
    order_id: watch.orderId,
    execution_id: watch.executionId,
    trigger_price: watch.price,
    status: watch.status,
  };
}

/** `level` is the price that the indicator gives now, if it differs from the current one. */
export function publishEntry(
  engine: EngineState,
  watch: EntryWatch,
  event: EntryEvent,
  level: number | null = null,
): void {
  if (!engine.hasListener) return;
  const { wallet, symbol } = watch;
  const data = level === null ? entryRow(watch) : { ...entryRow(watch), level };
  engine.emit({ channel: 'tpsl.watch', event, wallet, keys: { symbol }, data });
}
