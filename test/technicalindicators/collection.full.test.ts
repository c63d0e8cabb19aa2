import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { ClosedBar } from '../../src/technicalindicators.ts';
import { COLLECTION, haveCollection } from '../data/places.ts';
import { compareAll } from './compareWithLibrary.ts';

function readCollection(file: string, from: number, count: number): ClosedBar[] {
  const bytes = readFileSync(join(COLLECTION, 'normalised', `${file}.csv.gz`));
  const lines = gunzipSync(bytes).toString('utf8').trim().split('\n');
  return lines.slice(1 + from, 1 + from + count).map((line) => {
    const [time, open, high, low, close, volume] = line.split(',').map(Number) as number[];
    const prices = { open: open!, high: high!, low: low!, close: close!, volume: volume! };
    return { symbol: 'BTC', interval: '1m', time: time!, ...prices, closed: true };
  });
}

describe.skipIf(!haveCollection)(
  'the whole catalogue on years of real bars (need ../shared/data)',
  () => {
    test.each([
      // A crash, thin minutes, days without volume, prices of a hundred-thousandth.
      ['BINANCE-BTCUSDT-1m-202408', 10_000],
      ['BITFINEX-LTCUSD-1m', 40_000],
      ['BYBIT-BNBUSDT-1m', 0],
      ['BINANCE-BTCUSDT-1h', 20_000],
      ['HYPERLIQUID-kPEPE-1h', 0],
      ['HYPERLIQUID-BTC-1d', 0],
    ])('%s', (file, from) => {
      const bars = readCollection(file, from, 6_000);
      const { compared, traps } = compareAll(bars);
      expect(compared).toBeGreaterThan(60 * bars.length);
      expect(traps).toBeLessThan(compared / 10);
    });
  },
);
