import { map, NEVER, concat, take } from 'rxjs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { runLoadedBacktest } from '../../backtest/index.ts';
import { checkConfig } from '../../src/config/index.ts';
import { createLiveEnv } from '../../src/env/index.ts';
import { closePosition, defineStrategy, placeOrder } from '../../src/index.ts';
import { explainCutOrders } from '../../src/operate/run/explainCutOrders.ts';

/** Buys, and closes what it has, on bars with a volume of 100, of which a tenth may fill. */
async function noteOf(size: number, share: number): Promise<string | undefined> {
  const strategy = defineStrategy({
    name: 'buyer',
    contract: 1,
    description: 'Buys and closes once.',
    scopes: ['trade'],
    params: z.object({}),
    setup: (ctx) =>
      concat(
        ctx.candles(ctx.symbol, '1m').pipe(
          take(3),
          map((_bar, at) =>
            at === 0
              ? placeOrder.market({ symbol: ctx.symbol, side: 'buy', size })
              : closePosition.atMarket(ctx.symbol),
          ),
          take(2),
        ),
        NEVER,
      ),
  });
  const bars = Array.from({ length: 20 }, (_none, at) => at);
  const flat = (of: number): Float64Array => Float64Array.from(bars, () => of);
  const feed = {
    symbol: 'BTC',
    interval: '1m' as const,
    time: Float64Array.from(bars, (at) => 1_735_689_600_000 + at * 60_000),
    open: flat(100),
    high: flat(101),
    low: flat(99),
    close: flat(100),
    volume: Float64Array.from(bars, (at) => (at < 1 ? 100 : 50)),
  };
  const feeds = [{ symbol: 'BTC', interval: '1m' as const, generate: {} }];
  const bot = {
    name: 'bot',
    link: { kind: 'paper' as const },
    paper: { feeds, warmup: 0, volume_share: share, balance: 1_000_000 },
    strategies: [{ name: 'buyer', use: 'buyer', symbols: ['BTC'], params: {} }],
  };
  const where = { file: 'bot', directory: '.' };
  const loaded = await checkConfig(bot, where, { overrides: { onPaper: true, journal: 'memory' } });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
  const run = await runLoadedBacktest({
    loaded,
    known: { feeds: new Map([['BTC', feed]]), plugins: new Map([['buyer', strategy]]) },
    range: {},
    env: createLiveEnv(),
    charts: false,
    progress: { update: () => {}, finish: () => {} },
    isStopped: () => false,
  });
  if (!run.ok) throw new Error(run.failure.message);
  return run.value.cut;
}

test('a market order, and the close of a position, beyond a bar’s share of volume are counted', async () => {
  // A tenth of 100 is bought of 40, and a tenth of 50 closed of 10.
  expect(await noteOf(40, 0.1)).toMatch(
    /^2 market orders were cut to 37\.5 % on average by paper\.volume_share/,
  );
});

test('what fits is none', async () => {
  expect(await noteOf(4, 0.1)).toBeUndefined();
});

test('a share is never rounded up to the whole', () => {
  expect(explainCutOrders({ count: 1, filledShare: 0.99999 })).toMatch(
    /^One market order was cut to 99\.9 % of its size by/,
  );
  expect(explainCutOrders({ count: 0, filledShare: 0 })).toBeUndefined();
});
