import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeMissing, parseShard, shardOfJob, sizeOfShard } from '../../../backtest/index.ts';

describe('a shard', () => {
  test.each([
    ['3/16', { number: 3, count: 16 }],
    ['1/1', { number: 1, count: 1 }],
  ])('%s', (text, shard) => {
    expect(parseShard(text)).toEqual({ ok: true, shard });
  });

  test.each([
    ['3', 'It is not NUMBER/COUNT, such as 3/16'],
    ['-1/4', 'It is not NUMBER/COUNT, such as 3/16'],
    ['0/16', 'Its number is 0; they go from 1 to 16'],
    ['17/16', 'Its number is 17; they go from 1 to 16'],
    ['1/0', 'Its count is 0, and 1 to 100000 are possible'],
  ])('%s is refused: %s', (text, reason) => {
    expect(parseShard(text)).toEqual({ ok: false, reason });
  });

  test('has each job in exactly one, and sizes that differ by one at most', () => {
    const sizes = fc.record({
      jobs: fc.integer({ min: 1, max: 2_000 }),
      count: fc.integer({ min: 1, max: 70 }),
    });
    fc.assert(
      fc.property(sizes, ({ jobs, count }) => {
        const counted = new Map<number, number>();
        for (let index = 0; index < jobs; index++) {
          const number = shardOfJob(index, count);
          expect(number).toBeGreaterThanOrEqual(1);
          expect(number).toBeLessThanOrEqual(count);
          counted.set(number, (counted.get(number) ?? 0) + 1);
        }
        for (let number = 1; number <= count; number++) {
          const size = counted.get(number) ?? 0;
          expect(sizeOfShard({ number, count }, jobs)).toBe(size);
          expect(Math.abs(size - jobs / count)).toBeLessThan(1);
        }
      }),
    );
  });

  /** How costs grow, and how far the busiest shard may be above the mean: `index % count` is at several times. */
  const COSTS: ReadonlyArray<[string, (share: number) => number, number]> = [
    ['evenly', (share) => 1 + 9 * share, 1.02],
    ['steeply', (share) => 100 ** share, 1.04],
    ['at the end alone', (share) => (share > 0.9 ? 50 : 1), 1.12],
  ];
  test.each(COSTS)(
    'takes as long as any other of a grid that grows costly %s',
    (_how, costOf, limit) => {
      for (const columns of [3, 7, 8, 16, 31, 32, 64, 100]) {
        for (const count of [2, 7, 8, 16, 32]) {
          for (const isFirst of [true, false]) {
            const rows = Math.ceil(20_000 / columns);
            const work = new Float64Array(count);
            for (let index = 0; index < rows * columns; index++) {
              const [row, column] = [Math.floor(index / columns), index % columns];
              const share = isFirst ? row / (rows - 1) : column / (columns - 1);
              work[shardOfJob(index, count) - 1]! += costOf(share);
            }
            const mean = work.reduce((sum, each) => sum + each, 0) / count;
            const most = Math.max(...work) / mean;
            expect(most, `${columns} columns, ${count} shards`).toBeLessThan(limit);
          }
        }
      }
    },
  );
});

describe('what is missing', () => {
  const part = (number: number, count = 4) => ({
    path: `part-${number}.sqlite`,
    shard: { number, count },
  });
  const of = (number: number, jobs = 40): number[] =>
    Array.from({ length: jobs }, (_none, index) => index).filter(
      (index) => shardOfJob(index, 4) === number,
    );

  test('is named by shards, with the command that computes it', () => {
    const parts = [part(1), part(2), part(4)];
    expect(describeMissing(of(3), { parts, jobs: 40 })).toBe(
      '10 of 40 points are missing: shard 3/4, of which there is no file.\n' +
        '  Run the same command again with --shard 3/4, then merge.',
    );
    expect(describeMissing(of(2).slice(6), { parts: [...parts, part(3)], jobs: 40 })).toBe(
      '4 of 40 points are missing: 4 of shard 2/4, which part-2.sqlite has not completed.\n' +
        '  Run the same command again with --shard 2/4, then merge.',
    );
  });

  test('is named by points where the parts are of several divisions', () => {
    const parts = [part(1), part(2, 8)];
    expect(describeMissing([4, 9], { parts, jobs: 40 })).toContain(
      '2 of 40 points are missing: 5; 10.',
    );
    const many = Array.from({ length: 20 }, (_none, index) => index);
    expect(describeMissing(many, { parts, jobs: 40 })).toContain('; 8; and 12 more.');
  });
});
