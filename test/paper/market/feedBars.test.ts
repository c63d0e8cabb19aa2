import fc from 'fast-check';
import { expect, test } from 'vitest';
import { INTERVAL_MS } from '../../../src/contract/index.ts';
import { generateFeed } from '../../../src/paper/index.ts';
import { feedBars } from '../../../src/paper/market/feedBars.ts';
import { createIntervalBars } from '../../../src/paper/market/IntervalBars.ts';
import { PricePath } from '../../../src/paper/market/PricePath.ts';

const COLUMNS = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;

test('all bars of a feed at once are those that it closes one after another, gaps included', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('1m', '3m', '5m', '1h', '1d', '1w'),
      fc.array(fc.nat(399), { maxLength: 60 }),
      fc.nat(1_000),
      (interval, missing, seed) => {
        const whole = generateFeed({
          symbol: 'BTC',
          interval: '1m',
          bars: 400,
          seed,
          startTime: 0,
          startPrice: 9,
        });
        const rows = [...whole.time.keys()].filter((row) => !missing.includes(row));
        const cut = Object.fromEntries(
          COLUMNS.map((name) => [name, Float64Array.from(rows, (row) => whole[name][row]!)]),
        );
        const feed = { ...whole, ...cut };
        const path = new PricePath(feed);
        const walked = createIntervalBars(path, interval);
        const end = path.endTime;
        path.seek(end);
        const closed = walked.closed(end);
        const all = feedBars(feed, interval)!;
        for (const name of COLUMNS) {
          expect(all[name].slice(0, closed.length)).toEqual(closed[name].slice(0, closed.length));
        }
        // The last one may not have closed.
        const last = all.time[closed.length];
        if (last !== undefined) expect(last + INTERVAL_MS[interval]).toBeGreaterThan(end);
        expect(all.time.length - closed.length).toBeLessThanOrEqual(1);
        expect(feedBars(feed, interval)).toBe(all);
      },
    ),
    { numRuns: 60 },
  );
});

test('a feed whose bars begin beside their minute has no columns', () => {
  const feed = generateFeed({
    symbol: 'BTC',
    interval: '1m',
    bars: 3,
    seed: 1,
    startTime: 0,
    startPrice: 9,
  });
  const beside = { ...feed, time: feed.time.map((time) => time + 500) };
  expect(feedBars(beside, '5m')).toBe(null);
});
