import { expect, test } from 'vitest';
import { explainNothingToReplay } from '../../src/operate/run/explainNothingToReplay.ts';
import { generateFeed } from '../../src/paper/index.ts';

const feed = (symbol: string, startTime: number, bars = 600) =>
  generateFeed({ symbol, interval: '1m', bars, seed: 1, startTime, startPrice: 100 });
const JANUARY = Date.UTC(2025, 0, 1);

test('feeds without a common time are reported with their ranges', () => {
  const feeds = [feed('ETH', JANUARY), feed('BTC', Date.UTC(2025, 4, 4))];
  expect(explainNothingToReplay(feeds, 100)).toBe(
    'The feeds have no time in common: ETH (2025-01-01 00:00 to 2025-01-01 10:00) is over before ' +
      'BTC (2025-05-04 00:00 to 2025-05-04 10:00) begins.',
  );
});

test('a feed consumed by warm-up is reported with the numbers', () => {
  expect(explainNothingToReplay([feed('BTC', JANUARY, 500)], 500)).toMatch(
    /BTC has 500 bars.* 500\./,
  );
  expect(explainNothingToReplay([feed('BTC', JANUARY, 501)], 500)).toBeUndefined();
});
