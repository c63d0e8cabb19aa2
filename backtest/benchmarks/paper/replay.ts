import { MINUTE_MS } from '../../../src/contract/durations.ts';
import { createEngine, generateFeed, type Engine } from '../../../src/paper/index.ts';
import { compare, type ComparisonResult, type Contender } from '../harness.ts';
import { createCalls, type Calls } from './createCalls.ts';

const BARS = 6_000;
const WARM_UP = 600;
/** Bars with a thousand items open: enough for a rate, and a round still takes only seconds. */
const FEW_BARS = BARS / 20;
/** The most trails in a wallet (LEG-11). */
const ROWS = 20;

const feed = generateFeed({
  symbol: 'BTC',
  interval: '1m',
  bars: BARS + WARM_UP,
  seed: 'replay',
  startTime: Date.UTC(2025, 0, 1),
  startPrice: 60_000,
  volume: 400,
});

/** A bar with nothing open on the machine on which the goals were set, and with things open at most. */
const EMPTY_NS = 100;
const MOST_NS: Readonly<Record<string, number>> = {
  '10 executions': 10_000,
  '100 trails by percent': 15_000,
  '100 trails on one ATR': 15_000,
  '100 monitors': 15_000,
};

/**
 * Bars through the core per second of processor time, in one process, without sockets: bar by bar with
 * closed bars published, as a backtest runs it. The baseline has nothing open.
 */
export async function benchReplay(): Promise<ComparisonResult[]> {
  const contenders: [Contender, ...Contender[]] = [
    { name: 'nothing open', run: () => replay(() => {}) },
  ];
  for (const [kind, open] of Object.entries(OPENERS)) {
    for (const count of kind === 'executions' ? [1, 10, 100, 1_000] : [10, 100]) {
      const name = `${count} ${kind}`;
      const most = MOST_NS[name];
      const goal = most === undefined ? {} : { goal: EMPTY_NS / most };
      contenders.push({ name, ...goal, run: () => replay(open, count) });
    }
  }
  return compare({ name: 'paper/replay: one-minute bars', contenders });
}

function replay(open: (calls: Calls, count: number) => void, count = 0) {
  const engine: Engine = createEngine({
    feeds: [feed],
    startTime: feed.time[WARM_UP]!,
    retention: 1_000,
  });
  engine.listen(() => {});
  engine.setMarketInterest({
    ticks: [],
    bars: [{ symbol: 'BTC', interval: '1m', forming: false }],
  });
  open(createCalls(engine), count);
  const bars = count < 1_000 ? BARS : FEW_BARS;
  const endTime = Math.min(engine.now + bars * MINUTE_MS, engine.endTime);
  const start = process.cpuUsage();
  while (engine.now < endTime) engine.advanceTo(Math.min(engine.now + MINUTE_MS, endTime));
  const { user, system } = process.cpuUsage(start);
  return { 'bars/CPU-s': bars / ((user + system) / 1e6) };
}

const wallets = (calls: Calls, count: number, each: (wallet: string) => void): void => {
  for (let index = 0; index < count; index++) {
    const wallet = `w${Math.floor(index / ROWS)}`;
    if (index % ROWS === 0) calls.wallet(wallet, 1e12);
    each(wallet);
  }
};

function openTrails(calls: Calls, count: number, trail: Readonly<Record<string, unknown>>): void {
  wallets(calls, count, (wallet) => {
    calls.send(wallet, 'orders.place', {
      symbol: 'BTC',
      side: 'buy',
      size: 0.01,
      order_type: 'market',
      stop_loss: { trail: { ...trail, interval: '1m' } },
    });
  });
}

/** What can be open while bars go by; none of it ends within the run. */
const OPENERS: Readonly<Record<string, (calls: Calls, count: number) => void>> = {
  // Half buy and half sell, so that the position stays small.
  executions: (calls, count) => {
    let index = 0;
    wallets(calls, count, (wallet) => {
      calls.send(wallet, 'executions.launch', {
        algo: 'flowscale',
        symbol: 'BTC',
        side: index++ % 2 === 0 ? 'buy' : 'sell',
        total_size: 1e6,
        params: { participation: 0.01 },
      });
    });
  },
  'trails by percent': (calls, count) => openTrails(calls, count, { pct: 60 }),
  'trails on one ATR': (calls, count) => openTrails(calls, count, { indicator: 'atr', mult: 500 }),
  monitors: (calls, count) => {
    wallets(calls, count, (wallet) => {
      calls.send(wallet, 'monitors.create', {
        trigger: {
          type: 'indicator_level',
          symbol: 'BTC',
          indicator: 'keltner',
          series: 'upper',
          params: { mult: 100 },
          interval: '1m',
          direction: 'above',
        },
        action: {
          type: 'order',
          request: { symbol: 'BTC', side: 'sell', size: 0.01, order_type: 'market' },
        },
      });
    });
  },
};
