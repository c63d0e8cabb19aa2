import type { IndicatorRead } from '../../contract/index.ts';
import { ServiceError } from '../core/ServiceError.ts';
import type { EngineState } from '../engine/EngineState.ts';
import type { ReadSpec } from '../market/IndicatorReads.ts';
import type { Account } from '../venue/Account.ts';
import { fireMonitor } from './fireMonitor.ts';
import type { Monitor } from './Monitor.ts';

/** The price that the mark has to cross now; throws `indicator_not_ready`. */
export function levelOf(engine: EngineState, { record: { trigger } }: Monitor): number {
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

export function disarmMonitor(engine: EngineState, monitor: Monitor): void {
  if (monitor.watch !== null) engine.market.unwatch(monitor.watch);
  if (monitor.hook !== null) engine.barHooks.remove(monitor.hook);
  monitor.watch = null;
  monitor.hook = null;
}

/**
 * The mark reached a watched price, or a closed bar moved the level: fires if the level is crossed now
 * and was not before, else watches for the missing side.
 */
export function watchLevel(engine: EngineState, account: Account, monitor: Monitor): void {
  if (monitor.watch !== null) engine.market.unwatch(monitor.watch);
  monitor.watch = null;
  const level = readLevel(engine, monitor);
  if (level === null || monitor.record.status !== 'armed') return;
  const { symbol, direction } = monitor.record.trigger;
  const mark = engine.market.mark(symbol);
  const isCrossed = direction === 'above' ? mark >= level : mark <= level;
  if (isCrossed && monitor.ready) {
    fireMonitor(engine, account, monitor, level);
    if (monitor.record.status === 'armed') armMonitor(engine, account, monitor);
    return;
  }
  if (!isCrossed) monitor.ready = true;
  const opposite = direction === 'above' ? 'below' : 'above';
  monitor.watch = engine.market.watch({
    symbol,
    price: level,
    side: monitor.ready ? direction : opposite,
    passed: !monitor.ready,
    topic: 'monitor',
    wallet: account.wallet,
    id: monitor.record.monitor_id,
  });
}

function readLevel(engine: EngineState, monitor: Monitor): number | null {
  try {
    return levelOf(engine, monitor);
  } catch (error) {
    if (error instanceof ServiceError) return null;
    throw error;
  }
}
