import { join } from 'node:path';
import { NEVER, of, Subject } from 'rxjs';
import type { InstrumentRecord } from '../../../src/contract/index.ts';
import { MINUTE_MS } from '../../../src/contract/durations.ts';
import {
  createLiveEnv,
  createRandom,
  openThread,
  silentLog,
  TaskQueue,
} from '../../../src/env/index.ts';
import {
  checkParams,
  createMemoryState,
  createStrategyHost,
  createThreadHost,
  type CandleEvent,
  type StrategyHost,
} from '../../../src/strategy/index.ts';
import emaTrend from '../../../strategies/emaTrend.ts';
import { compare, type ComparisonResult, type Rates } from '../harness.ts';

const TURNS = 20_000;
const INSTRUMENT: InstrumentRecord = {
  symbol: 'BTC',
  kind: 'perp',
  base: 'BTC',
  quote: 'USD',
  size_decimals: 3,
  price_decimals: 2,
  price_significant_figures: 6,
  min_order_value: 10,
  algo_min_value: 100,
  max_leverage: 50,
};

/** Turns of the EMA trend per second: in the bot's thread, and in its own. */
export function benchIsolation(): Promise<ComparisonResult[]> {
  return compare({
    name: 'strategy/isolation: a bar each turn',
    contenders: [
      { name: "in the bot's thread", run: () => run('none') },
      { name: 'in a worker, each turn waited for', run: () => run('waits') },
      { name: 'in a worker, not waited for', run: () => run('apart') },
    ],
  });
}

async function run(how: 'none' | 'waits' | 'apart'): Promise<Rates> {
  const live$ = new Subject<CandleEvent>();
  const market = new TaskQueue(0);
  const host = createHost(how, live$, market);
  host.start();
  // A worker for which the bot does not wait subscribes when its plugin is loaded.
  while (!live$.observed) await new Promise((resolve) => setTimeout(resolve, 1));
  const start = performance.now();
  for (let turn = 1; turn <= TURNS; turn++) {
    const time = turn * MINUTE_MS;
    market.advanceTo(time + MINUTE_MS);
    const close = 60_000 + 2_000 * Math.sin(turn / 50);
    const prices = { open: close, high: close, low: close, close, volume: 1 };
    const bar = { symbol: 'BTC', interval: '1m', time, ...prices, closed: true } as const;
    live$.next({ kind: 'closed', bar, history: false });
  }
  await host.stop();
  return { 'turns/s': TURNS / ((performance.now() - start) / 1_000) };
}

function createHost(
  how: 'none' | 'waits' | 'apart',
  live$: Subject<CandleEvent>,
  market: TaskQueue,
): StrategyHost {
  const params = { interval: '1m' };
  const shared = {
    instance: 'trend',
    wallet: 'main',
    symbols: ['BTC'],
    capitalShare: 1,
    market,
    state: createMemoryState(),
    log: silentLog,
    sources: {
      account$: NEVER,
      position: () => of(null),
      fills$: NEVER,
      watch$: NEVER,
      executions$: NEVER,
      balances$: NEVER,
      orders$: NEVER,
      monitors$: NEVER,
      refs$: NEVER,
      funding$: NEVER,
      market: () => NEVER,
      book: () => NEVER,
      outcomes$: NEVER,
      price: () => NEVER,
      candles: () => live$,
    },
    onIntent: () => {},
    onFault(fault: { reason: string }) {
      throw new Error(fault.reason);
    },
  };
  if (how !== 'none') {
    const use = join(import.meta.dirname, '../../../strategies/emaTrend.ts');
    const isolation = { use, directory: '/', params, turnDeadlineMs: 10_000, memoryMb: 256 };
    const from = { openThread, timers: createLiveEnv().timers, seed: 'bench' };
    const instruments = [INSTRUMENT];
    return createThreadHost({ ...shared, ...from, isolation, instruments, waits: how === 'waits' });
  }
  const checked = checkParams(emaTrend, params);
  if (!checked.ok) throw new Error(checked.fault.reason);
  return createStrategyHost({
    ...shared,
    strategy: emaTrend,
    params: checked.value,
    random: createRandom('bench'),
    instrument: () => INSTRUMENT,
  });
}
