import { describe, expect, test } from 'vitest';
import { randomBars } from '../indicators/bars.ts';
import { readBars } from '../indicators/referenceFiles.ts';
import { toBars } from './catalogue.ts';
import { compareAll } from './compareWithLibrary.ts';

describe('the whole catalogue gives what the library gives, where no trap of the library shows', () => {
  test.each([
    'BINANCE-BTCUSDT-1m-202408',
    'BYBIT-BTCUSDT-5m',
    'HYPERLIQUID-ETH-1h',
    'HYPERLIQUID-kPEPE-15m',
  ])('on real bars, %s', (file) => {
    const bars = toBars(readBars(`normalised/${file}.csv.gz`)).slice(0, 1500);
    const { compared, traps } = compareAll(bars);
    expect(compared).toBeGreaterThan(60 * bars.length);
    expect(traps / compared).toBeLessThan(0.05);
  });

  test('on bars of a seeded walk', () => {
    expect(compareAll(toBars(randomBars(600, 'ti'))).compared).toBeGreaterThan(30_000);
  });
});
