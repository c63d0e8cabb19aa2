import { describe, expect, test } from 'vitest';
import { flatBars, randomBars } from './bars.ts';
import { fromCloses, fromRanges, seriesOf, type Columns } from './series.ts';

const last = (line: number[]) => line.at(-1);

function joined(...parts: Columns[]): Columns {
  const column = (name: keyof Columns) => parts.flatMap((part) => part[name]);
  const close = column('close');
  const time = close.map((_, i) => i * 60_000);
  return {
    time,
    open: column('open'),
    high: column('high'),
    low: column('low'),
    close,
    volume: column('volume'),
  };
}

describe('a flat window', () => {
  // 0.1 has no exact double: sums of it are where a careless flat window stops being flat.
  const flat = flatBars(60, 0.1);
  const afterTrading = joined(randomBars(100), flatBars(600, 0.1));

  test('MKT-4: is 0 for cci and stochastic, at once and after a market that moved', () => {
    for (const bars of [flat, afterTrading]) {
      expect(last(seriesOf('cci', bars))).toBe(0);
      expect(last(seriesOf('stochastic', bars, {}, 'k'))).toBe(0);
      expect(last(seriesOf('stochastic', bars, {}, 'd'))).toBe(0);
    }
  });

  test('MKT-4: is 100 for rsi without any loss, and constant after a loss', () => {
    expect(last(seriesOf('rsi', flat))).toBe(100);
    const rising = fromCloses(Array.from({ length: 40 }, (_, i) => 100 + i));
    expect(last(seriesOf('rsi', rising))).toBe(100);
    const [before, after] = seriesOf('rsi', fromCloses([...rising.close, 100, 100, 100])).slice(-2);
    expect(after).toBeCloseTo(before!, 10);
  });

  test('MKT-4: is 0 for adx and both directional indicators', () => {
    for (const series of ['adx', 'plus_di', 'minus_di']) {
      expect(last(seriesOf('adx', flat, {}, series))).toBe(0);
    }
  });

  test('MKT-4: adx continues with a number after a flat window', () => {
    const adx = seriesOf('adx', joined(flat, randomBars(40)), {}, 'adx');
    expect(last(adx)).toBeGreaterThan(0);
  });

  test('MKT-4: has bands of zero width', () => {
    for (const series of ['upper', 'mid', 'lower']) {
      expect(last(seriesOf('bollinger', flat, {}, series))).toBeCloseTo(0.1, 15);
    }
    const [upper, lower] = ['upper', 'lower'].map((s) => last(seriesOf('bollinger', flat, {}, s)));
    expect(upper).toBe(lower);
    expect(last(seriesOf('atr', flat))).toBe(0);
  });

  test('MKT-4: closes the bollinger bands exactly, on the bar that completes it', () => {
    const bars = joined(randomBars(50, 'spike', 1e6), flatBars(20, 3));
    expect(last(seriesOf('bollinger', bars, {}, 'upper'))).toBe(3);
    expect(last(seriesOf('bollinger', bars, {}, 'lower'))).toBe(3);
  });
});

describe('vwap', () => {
  const DAY = 86_400_000;

  test('MKT-4: restarts at 00:00 UTC', () => {
    const bars = fromCloses([10, 20, 50, 70]);
    bars.time = [DAY - 120_000, DAY - 60_000, DAY, DAY + 60_000];
    expect(seriesOf('vwap', bars)).toEqual([10, 15, 50, 60]);
  });

  test('MKT-4: counts the day of its first bar from there, and the next one whole', () => {
    const HOUR = 3_600_000;
    const closes = Array.from({ length: 72 }, (_none, at) => 10 + ((at * 7) % 24));
    const from = (first: number): number[] => {
      const bars = fromCloses(closes.slice(first));
      bars.time = closes.slice(first).map((_close, at) => (first + at) * HOUR);
      return seriesOf('vwap', bars);
    };
    const whole = from(0);
    expect(from(12)[1]).toBe((closes[12]! + closes[13]!) / 2);
    // After a day of bars the value is the day's, whenever the first of them opened.
    for (let first = 1; first < 48; first++)
      expect(from(first)[23]).toBeCloseTo(whole[first + 23]!, 10);
  });

  test('MKT-4: is the bar’s own typical price until the day has its first volume', () => {
    const bars = fromRanges([12, 22, 30], [9, 19, 30], [9, 19, 30]);
    bars.volume = [0, 0, 5];
    expect(seriesOf('vwap', bars)).toEqual([10, 20, 30]);
  });

  test('MKT-4: holds its value through bars without volume', () => {
    const bars = fromCloses([10, 90, 20]);
    bars.volume = [1, 0, 1];
    expect(seriesOf('vwap', bars)).toEqual([10, 10, 15]);
  });
});

describe('a deviation that is small relative to the price', () => {
  test('MKT-4: keeps its precision in the bollinger bands', () => {
    // E[x²] − E[x]² has no digit left at a price of 1e9 that moves by a thousandth.
    const closes = Array.from({ length: 200 }, (_, i) => 1e9 + (i % 2) * 2 ** -10);
    const params = { period: 20, std_dev: 1 };
    const mid = last(seriesOf('bollinger', fromCloses(closes), params, 'mid'))!;
    const upper = last(seriesOf('bollinger', fromCloses(closes), params, 'upper'))!;
    expect(upper - mid).toBeCloseTo(2 ** -11, 6);
  });
});
