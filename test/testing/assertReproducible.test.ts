import { bufferCount, filter, from, map, mergeMap, NEVER, switchMap } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { assertReproducible } from '../../backtest/assertReproducible.ts';
import { placeOrder } from '../../src/intents/index.ts';
import { generateFeed } from '../../src/paper/index.ts';
import { TEST_START, type BarsOf } from '../../src/testing/index.ts';
import breakout from '../../strategies/breakout.ts';
import { planted } from './planted.ts';

const feed = generateFeed({
  symbol: 'BTC',
  interval: '1m',
  bars: 400,
  seed: 5,
  startTime: TEST_START,
  startPrice: 60_000,
});
const bars = Array.from(feed.time, (time, at) => ({
  time,
  open: feed.open[at]!,
  high: feed.high[at]!,
  low: feed.low[at]!,
  close: feed.close[at]!,
  volume: feed.volume[at]!,
}));
const feeds: BarsOf[] = [{ symbol: 'BTC', interval: '1m', bars }];
const order = (size: number) => placeOrder.market({ symbol: 'BTC', side: 'buy', size });

describe('assertReproducible', () => {
  test('passes a shipped strategy, and reports by what', async () => {
    const params = { interval: '1m', channel: 5, atr_period: 3 };
    const { intents, runs } = await assertReproducible(breakout, feeds, { params });
    expect(intents).toBeGreaterThan(5);
    expect(runs).toBeGreaterThanOrEqual(8);
  });

  test('says what these bars were too few to check, and what they checked in part', async () => {
    const steady = planted(
      (ctx) =>
        ctx.candles('BTC', '1m').pipe(
          filter(({ time }) => (time / 60_000) % 3 === 0),
          map(() => order(0.01)),
        ),
      { warmup: 30 },
    );
    const notesOf = async (count: number): Promise<readonly string[]> => {
      const own = [{ ...feeds[0]!, bars: bars.slice(0, count) }];
      return (await assertReproducible(steady, own)).notes;
    };
    expect(await notesOf(400)).toEqual([]);
    expect(await notesOf(160)).toEqual([
      expect.stringMatching(/^warm-up: only compared with 2 × of it: the tape has \d+ bars/),
    ]);
    expect(await notesOf(80)).toEqual([
      expect.stringMatching(/^warm-up: planted: its `warmup` asks for 30 closed bars/),
      expect.stringMatching(
        /^warm-up was not checked: the tape has \d+ bars before its middle, .*\.$/,
      ),
    ]);
  });

  test('names bar and intent of a decision by chance', async () => {
    const tosses = planted((ctx) =>
      ctx
        .candles('BTC', '5m')
        .pipe(map(() => order(0.001 + Math.round(Math.random() * 1000) / 1e5))),
    );
    await expect(assertReproducible(tosses, feeds)).rejects.toMatchObject({
      code: 'TRIMTAB_CHECK_FAILED',
      message: expect.stringMatching(
        /^planted does not decide the same each time:\n\ndeterminism: planted, bar closed 2026-01-05T0[\s\S]*ctx\.random\(\)[\s\S]*request\.size/,
      ),
    });
  });

  test('finds promises between bars', async () => {
    const awaits = planted((ctx) =>
      ctx.candles('BTC', '1m').pipe(
        bufferCount(5),
        mergeMap((five) => from(Promise.resolve(five))),
        map((five) => ({ ...order(0.01), decision: `of-${five[0]!.time}` })),
      ),
    );
    await expect(assertReproducible(awaits, feeds)).rejects.toThrow(/promises: planted/);
  });

  test('a strategy that decides nothing was not checked', async () => {
    const silent = planted((ctx) =>
      ctx.candles('BTC', '1m').pipe(
        filter(() => false),
        switchMap(() => NEVER),
      ),
    );
    await expect(assertReproducible(silent, feeds)).rejects.toThrow(
      'made no decision on these bars',
    );
  });

  test('a strategy that ends fails with its reason', async () => {
    const throws = planted((ctx) =>
      ctx.candles('BTC', '1m').pipe(
        map(() => {
          throw new Error('no more');
        }),
      ),
    );
    await expect(assertReproducible(throws, feeds)).rejects.toThrow(/no more/);
  });

  test('feeds and options that don’t fit are refused', async () => {
    await expect(assertReproducible(breakout, [])).rejects.toThrow('there are no feeds');
    await expect(assertReproducible(breakout, [...feeds, ...feeds])).rejects.toThrow(
      'two feeds of BTC',
    );
    await expect(assertReproducible(breakout, feeds, { history: 400 })).rejects.toThrow(
      '400 bars of history',
    );
    await expect(assertReproducible(breakout, feeds, { symbols: ['ETH'] })).rejects.toMatchObject({
      code: 'TRIMTAB_CONFIG_NO_FEED',
      message: expect.stringMatching(/^assertReproducible: .* serves the symbol ETH/),
    });
    const params = { chanel: 3 };
    await expect(assertReproducible(breakout, feeds, { params })).rejects.toMatchObject({
      code: 'TRIMTAB_CONFIG_UNKNOWN_KEY',
      message: expect.stringMatching(/^params\.chanel: .*\s+Did you mean channel\?$/m),
    });
  });
});
