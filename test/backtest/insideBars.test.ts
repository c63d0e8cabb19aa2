import { concatMap, filter, map, merge, take, timer } from 'rxjs';
import { defineStrategy, placeOrder } from 'trimtab';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { generateFeed } from '../../src/paper/index.ts';
import { runDirect, runDriven, runSockets, type ParityRun, type ParityTape } from './runParity.ts';

const START = Date.UTC(2026, 0, 5);
const HOUR = 3_600_000;
const MINUTE = 60_000;

/** A tape of hours: events within one are between its open and its close. */
function hours(strategy: ParityTape['members'][number]['strategy']): ParityTape {
  const feed = generateFeed({
    symbol: 'BTC',
    interval: '1h',
    bars: 40,
    seed: 5,
    startTime: START,
    startPrice: 61_000,
    volatilityBps: 60,
  });
  const generate = { seed: 1, bars: 2 };
  return {
    data: { feeds: [feed], funding: {} },
    settings: { feeds: [{ symbol: 'BTC', interval: '1h', generate }], warmup: 20 },
    stepMs: HOUR,
    members: [{ strategy, symbols: ['BTC'], wallet: 'main' }],
  };
}

/** Buys on the price that comes twenty minutes after the hour. */
const onPrice = defineStrategy({
  name: 'on-price',
  contract: 1,
  description: 'For a test.',
  params: z.object({}),
  scopes: ['trade'],
  setup: (ctx) =>
    ctx.price('BTC').pipe(
      filter(() => Math.floor((ctx.now() % HOUR) / MINUTE) === 20),
      take(3),
      map(() => placeOrder.market({ symbol: 'BTC', side: 'buy', size: 0.01 })),
    ),
});

/** Buys ten minutes after the close of an hour, by its own timer. */
const onTimer = defineStrategy({
  name: 'on-timer',
  contract: 1,
  description: 'For a test.',
  params: z.object({}),
  scopes: ['trade'],
  setup: (ctx) =>
    ctx.candles('BTC', '1h').pipe(
      take(3),
      concatMap(() => timer(10 * MINUTE, ctx.scheduler)),
      map(() => placeOrder.market({ symbol: 'BTC', side: 'buy', size: 0.01 })),
    ),
});

/** Rests below the price, and sells after each fill. */
const onFill = defineStrategy({
  name: 'on-fill',
  contract: 1,
  description: 'For a test.',
  params: z.object({}),
  scopes: ['trade'],
  setup: (ctx) => {
    const { roundPrice } = ctx.instrument('BTC');
    const rest$ = ctx.candles('BTC', '1h').pipe(
      map(({ close }) => roundPrice(close * 0.999, 'down')),
      map((price) => placeOrder.limit({ symbol: 'BTC', side: 'buy', size: 0.01, price })),
    );
    const sale$ = ctx.fills$.pipe(
      filter(({ side }) => side === 'buy'),
      map(({ size }) => placeOrder.market({ symbol: 'BTC', side: 'sell', size })),
    );
    return merge(rest$, sale$);
  },
});

/** Market times at which intents were sent, as minutes after the hour. */
function sentAt({ intents }: ParityRun): number[] {
  return intents
    .flatMap(({ states }) => states.filter((state) => state.startsWith('sending')))
    .map((state) => (Number(state.split(' ')[1]) % HOUR) / MINUTE);
}

describe.each([
  ['over sockets', runSockets],
  ['through the direct link', runDirect],
])('a decision within a bar is sent and filled at that instant, %s', (_way, run) => {
  test('on a price', async () => {
    const result = await run(hours(onPrice));
    expect(sentAt(result)).toEqual([20, 20, 20]);
    expect(result.fills.map(({ time }) => (time % HOUR) / MINUTE)).toEqual([20, 20, 20]);
  });

  test('by a timer of its own', async () => {
    const result = await run(hours(onTimer));
    expect(sentAt(result)).toEqual([10, 10, 10]);
    expect(result.fills.map(({ time }) => (time % HOUR) / MINUTE)).toEqual([10, 10, 10]);
  });

  test('on a fill of a resting order', async () => {
    const { fills } = await run(hours(onFill));
    const buys = fills.filter(({ side }) => side === 'buy');
    const sales = fills.filter(({ side }) => side === 'sell');
    expect(buys.filter(({ time }) => time % HOUR !== 0).length).toBeGreaterThan(3);
    expect(sales.map(({ time }) => time)).toEqual(buys.map(({ time }) => time));
  });
});

test.each([onPrice, onTimer, onFill])(
  '$name: both links give identical bytes',
  async (strategy) => {
    const [direct, sockets] = [await runDirect(hours(strategy)), await runSockets(hours(strategy))];
    expect(JSON.stringify(direct)).toBe(JSON.stringify(sockets));
    expect(direct.fills.length).toBeGreaterThan(2);
  },
);

describe('with latency', () => {
  const withLatency = (strategy: typeof onPrice, latency: Record<string, unknown>): ParityTape => {
    const tape = hours(strategy);
    return { ...tape, settings: { ...tape.settings, latency } };
  };
  const minutes = (times: readonly number[]) => times.map((time) => (time % HOUR) / MINUTE);

  test('orders act and frames arrive after their configured latency', async () => {
    const latency = { order_ms: 2 * MINUTE, data_ms: 3 * MINUTE };
    const seen = defineStrategy({
      ...onPrice,
      name: 'on-seen',
      setup: (ctx) =>
        ctx.price('BTC').pipe(
          filter(() => ctx.now() % HOUR === 23 * MINUTE),
          take(3),
          map(() => placeOrder.market({ symbol: 'BTC', side: 'buy', size: 0.01 })),
        ),
    });
    const run = await runDirect(withLatency(seen, latency));
    expect(sentAt(run)).toEqual([23, 23, 23]);
    expect(minutes(run.fills.map(({ time }) => time))).toEqual([25, 25, 25]);
    const accepted = run.intents.map(({ states }) => Number(states.at(-1)!.split(' ')[1]));
    expect(minutes(accepted)).toEqual([25, 25, 25]);
  });

  const kinds = [
    { order_ms: 250, cancel_ms: 100, data_ms: 40 },
    { order_ms: { median: 80, p99: 900 }, data_ms: { median: 30, p99: 400 } },
    { order_ms: 9 * MINUTE, cancel_ms: 90_000 },
  ];
  test.each(kinds.flatMap((latency) => [onPrice, onTimer, onFill].map((of) => ({ latency, of }))))(
    '$of.name, $latency: both links give identical bytes',
    async ({ latency, of: strategy }) => {
      const tape = withLatency(strategy, latency);
      const [direct, sockets] = [await runDirect(tape), await runSockets(tape)];
      expect(JSON.stringify(direct)).toBe(JSON.stringify(sockets));
      expect(direct.fills.length).toBeGreaterThan(2);
    },
  );

  test('what is decided at the last close arrives at the end of the tape', async () => {
    const { data } = hours(onTimer);
    const end = data.feeds[0]!.time.at(-1)! + HOUR;
    const last = defineStrategy({
      ...onTimer,
      name: 'on-last',
      setup: (ctx) =>
        ctx.candles('BTC', '1h').pipe(
          filter(() => ctx.now() === end),
          map(() => placeOrder.market({ symbol: 'BTC', side: 'buy', size: 0.01 })),
        ),
    });
    const tape = withLatency(last, { order_ms: 9 * MINUTE });
    for (const { intents, fills } of [await runDirect(tape), await runDriven(tape)]) {
      expect(intents.map(({ states }) => states.at(-1))).toEqual([`accepted ${end}`]);
      expect(fills.map(({ time }) => time)).toEqual([end]);
    }
  });

  test('delays are drawn from the seed: the same one gives the same run, another one another', async () => {
    const tape = withLatency(onPrice, { order_ms: { median: 20_000, p99: 400_000 } });
    const times = async (seed: number) =>
      (await runDirect({ ...tape, seed })).fills.map(({ time }) => time);
    expect(await times(1)).toEqual(await times(1));
    expect(await times(1)).not.toEqual(await times(2));
  });
});
