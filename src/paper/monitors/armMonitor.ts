import type { IndicatorRead, MonitorTrigger } from '../../contract/index.ts';
import { ServiceError } from '../core/ServiceError.ts';
import type { EngineState } from '../engine/EngineState.ts';
import type { ReadSpec } from '../market/IndicatorReads.ts';
import { levelOfWatch, type PriceWatch, type WatchedPrice } from '../market/PriceWatches.ts';
import type { Account } from '../venue/Account.ts';
import { disarmMonitor, unwatchLevel } from './disarmMonitor.ts';
import { fireMonitor } from './fireMonitor.ts';
import type { Monitor } from './Monitor.ts';

/** The price that the mark has to cross now; throws `indicator_not_ready`. */
export function levelOf(engine: EngineState, trigger: MonitorTrigger): number {
  if (trigger.type === 'price_level') return trigger.price;
  return engine.reads.read(trigger.symbol, trigger as IndicatorRead as ReadSpec).indicator_value;
}

/**
 * Watches for the crossing. If the level is already crossed, it first waits until the mark was on the
 * other side.
 */
export function armMonitor(engine: EngineState, account: Account, monitor: Monitor): void {
  disarmMonitor(engine, monitor);
  const { record } = monitor;
  const { trigger, monitor_id: id } = record;
  record.status = 'armed';
  monitor.ready = false;
  if (trigger.type === 'indicator_level') {
    const { symbol, interval } = trigger;
    monitor.hook = { symbol, interval, topic: 'monitor', wallet: account.wallet, id };
    engine.barHooks.add(monitor.hook);
  }
  watchLevel(engine, account, monitor);
}

/**
 * A price reached a watch, or a closed bar moved the level: fires if the level is crossed now and was not before, else
 * watches for the missing side.
 *
 * @param reached the watch; null: a bar closed, or the monitor was armed, and the mark decides
 */
export function watchLevel(
  engine: EngineState,
  account: Account,
  monitor: Monitor,
  reached: PriceWatch | null = null,
): void {
  unwatchLevel(engine, monitor);
  const { trigger } = monitor.record;
  const level = readLevel(engine, trigger);
  if (level === null || monitor.record.status !== 'armed') return;
  // Trades may have reached the watch in this millisecond and left it again.
  const isReached = reached !== null && reached.level === levelOfWatch(awaitedSide(monitor, level));
  const isCrossed = isReached ? monitor.ready : isCrossedAt(engine, trigger, level);
  if (isCrossed && monitor.ready) {
    fireMonitor(engine, account, monitor, level);
    if (monitor.record.status === 'armed') armMonitor(engine, account, monitor);
    return;
  }
  if (!isCrossed) monitor.ready = true;
  monitor.watch = engine.market.watch({
    symbol: trigger.symbol,
    ...awaitedSide(monitor, level),
    topic: 'monitor',
    wallet: account.wallet,
    id: monitor.record.monitor_id,
  });
}

/** Its level from before, or first the other side, where the level itself does not count. */
function awaitedSide({ ready, record }: Monitor, price: number): WatchedPrice {
  const { direction } = record.trigger;
  return { price, side: ready ? direction : oppositeOf(direction), passed: !ready };
}

export function isCrossedAt(
  engine: EngineState,
  { symbol, direction }: MonitorTrigger,
  level: number,
): boolean {
  const mark = engine.market.mark(symbol);
  return direction === 'above' ? mark >= level : mark <= level;
}

export const oppositeOf = (direction: 'above' | 'below'): 'above' | 'below' =>
  direction === 'above' ? 'below' : 'above';

/** The level; null while its indicator has no value. */
export function readLevel(engine: EngineState, trigger: MonitorTrigger): number | null {
  try {
    return levelOf(engine, trigger);
  } catch (error) {
    if (error instanceof ServiceError) return null;
    throw error;
  }
}
