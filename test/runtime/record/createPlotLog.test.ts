import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPlotLog } from '../../../src/runtime/record/createPlotLog.ts';

const LINE = { name: 'ema(10)', group: 'ema(10)', symbol: 'BTC', interval: '1m' } as const;
const MOST = 65_536;

test('holds the values of each instance’s lines in their order', () => {
  const log = createPlotLog();
  const other = { ...LINE, name: 'ema(20)' };
  log.take('trend', LINE, 1, 10);
  log.take('second', LINE, 1, 11);
  log.take('trend', other, 1, 12);
  log.take('trend', LINE, 2, 13);
  expect(log.list()).toEqual([
    { ...LINE, instance: 'trend', times: [1, 2], values: [10, 13] },
    { ...LINE, instance: 'second', times: [1], values: [11] },
    { ...other, instance: 'trend', times: [1], values: [12] },
  ]);
});

test('a line goes on after a restart; the newest value of a time counts, earlier times do not', () => {
  const log = createPlotLog();
  log.take('trend', LINE, 1, 10);
  log.take('trend', LINE, 2, 20);
  const again = { ...LINE };
  log.take('trend', again, 1, 11);
  log.take('trend', again, 2, 21);
  log.take('trend', again, 3, 31);
  expect(log.list()).toMatchObject([{ times: [1, 2, 3], values: [10, 21, 31] }]);
});

test('a long line is thinned, and loses no extreme of any stretch', () => {
  const wave = (at: number): number => Math.sin(at / 50) * 100 + ((at * 7_919) % 101);
  const log = createPlotLog();
  const count = 3 * MOST + 11;
  for (let at = 0; at < count; at++) log.take('trend', LINE, at, wave(at));
  const { times, values } = log.list()[0]!;
  expect(times.length).toBeLessThan(MOST);
  expect(values).toEqual(times.map(wave));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  // After three times of halving, 16 raw points are the most that two kept ones stand for.
  const stretch = fc.integer({ min: 0, max: count - 2_000 });
  fc.assert(
    fc.property(stretch, (from) => {
      const raw = Array.from({ length: 2_000 }, (_, at) => wave(from + at));
      const inside = values.filter((_, at) => times[at]! >= from - 32 && times[at]! < from + 2_032);
      expect(Math.max(...inside)).toBeGreaterThanOrEqual(Math.max(...raw));
      expect(Math.min(...inside)).toBeLessThanOrEqual(Math.min(...raw));
    }),
    { numRuns: 50 },
  );
});

test('lines have a limit, so that one for each bar does not fill the memory', () => {
  const log = createPlotLog();
  for (let at = 0; at < 2_000; at++) log.take('trend', { ...LINE, name: `line ${at}` }, at, at);
  expect(log.list()).toHaveLength(1_024);
});
