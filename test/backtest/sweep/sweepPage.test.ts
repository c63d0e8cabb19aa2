import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { heatmapsOf, short } from '../../../backtest/sweep/page/heatmaps.ts';
import { logitBins } from '../../../backtest/sweep/page/logitsSvg.ts';
import { stitchTests } from '../../../backtest/sweep/page/outOfSample.ts';
import { pointCommand } from '../../../backtest/sweep/page/pointCommand.ts';
import { parseTimeRange, type SweepPlan } from '../../../backtest/index.ts';
import type { PointFigures } from '../../../backtest/sweep/PointResult.ts';
import { outcomeOf } from './outcomeOf.ts';

const DAY = 86_400_000;
const START = Date.UTC(2025, 0, 1);
const PLAN = { params: [{ name: 'fast', values: ['5'] }], feeds: [], set: [], seed: null };
const job = (range: object, index = 0) =>
  ({ index, values: ['5'], range, window: null, part: 'all' }) as const;
const commandOf = (plan: object, range = {}): string =>
  pointCommand({ ...PLAN, ...plan } as unknown as SweepPlan, job(range), 'bot.yaml');

describe('the command of a point', () => {
  test('has all that made the point, quoted for a shell', () => {
    const plan = {
      feeds: ['BTC@1m=my btc.csv'],
      set: ["name=it's"],
      seed: '7',
      params: [{ name: 'trend.mode', values: ['5'] }],
    };
    const command = pointCommand(
      { ...PLAN, ...plan } as unknown as SweepPlan,
      job({ from: START, until: START + DAY / 2 }, 11),
      'my bots/bot.yaml',
    );
    expect(command).toBe(
      "npx trimtab backtest 'my bots/bot.yaml' --param trend.mode=5 --timerange 20250101T0000-20250101T1200 --feed 'BTC@1m=my btc.csv' --set 'name=it'\\''s' --seed 7 --report point-12.html",
    );
  });

  test('names a range that the command understands as the same times', () => {
    const minute = fc.integer({ min: 1, max: 10_000 }).map((count) => START + count * 60_000);
    const time = fc.option(fc.oneof(minute, fc.constant(START + 61_001)), { nil: undefined });
    fc.assert(
      fc.property(time, fc.integer({ min: 1, max: 99 }), (from, minutes) => {
        const until = (from ?? START) + minutes * 60_000;
        const range = { ...(from === undefined ? {} : { from }), until };
        const [, text] = / --timerange (\S+)/.exec(commandOf({}, range))!;
        expect(parseTimeRange(text!)).toEqual({ ok: true, range });
      }),
    );
    expect(commandOf({})).toBe(
      'npx trimtab backtest bot.yaml --param fast=5 --report point-1.html',
    );
  });
});

describe('the tests of a walk-forward, stitched', () => {
  const endedOf = (tests: readonly { returns: number[]; pnl: number }[]) => {
    const jobs = tests.map((_, index) => ({
      ...job({ from: START + index * DAY, until: START + (index + 1) * DAY }, index),
      window: index,
      part: 'test' as const,
    }));
    const results = tests.map(({ returns, pnl }, index) => {
      return { index, figures: { pnl } as PointFigures, returns, trades: [] };
    });
    return outcomeOf(jobs.toReversed(), results);
  };

  test('compound their daily returns, and fall from the highest point before', () => {
    const change = fc.double({ min: -0.5, max: 0.5, noNaN: true });
    const tests = fc.array(
      fc.record({ returns: fc.array(change, { minLength: 1, maxLength: 4 }), pnl: change }),
      { minLength: 1, maxLength: 5 },
    );
    fc.assert(
      fc.property(tests, (drawn) => {
        const { unit, curve, drawdown } = stitchTests(endedOf(drawn))!;
        const worths = drawn
          .flatMap(({ returns }) => returns)
          .reduce<number[]>((all, step) => [...all, all.at(-1)! * (1 + step)], [1]);
        expect(unit).toBe('percent');
        expect(curve).toHaveLength(worths.length);
        worths.forEach((worth, at) => {
          expect(curve[at]![1]).toBeCloseTo((worth - 1) * 100, 9);
          const peak = Math.max(...worths.slice(0, at + 1));
          expect(drawdown[at]![1]).toBeCloseTo((worth / peak - 1) * 100, 9);
        });
      }),
    );
  });

  test('add up their P&L where one is shorter than a day; none is no curve', () => {
    const stitched = stitchTests(
      endedOf([
        { returns: [0.1], pnl: 5 },
        { returns: [], pnl: -8 },
      ]),
    )!;
    expect(stitched.unit).toBe('money');
    expect(stitched.curve).toEqual([
      [START, 0],
      [START + DAY, 5],
      [START + 2 * DAY, -3],
    ]);
    expect(stitched.drawdown.at(-1)![1]).toBe(-8);
    expect(stitchTests(endedOf([]))).toBeNull();
  });
});

test('the bins of logits up to zero hold what is at or below the median', () => {
  const rank = fc.integer({ min: 1, max: 199 }).map((place) => place / 200);
  fc.assert(
    fc.property(fc.uniqueArray(rank, { minLength: 1 }), (drawn) => {
      const ranks = drawn.toSorted((a, b) => a - b).map((one) => [one, 1 / drawn.length] as const);
      const all = { splits: 1, possibleSplits: 1, standardError: 0 };
      const bins = logitBins({ ranks, probability: 0, ...all });
      const below = bins.reduce((sum, { from, share }) => (from < 0 ? sum + share : sum), 0);
      const failed = drawn.filter((one) => one <= 0.5).length / drawn.length;
      expect(below).toBeCloseTo(failed, 9);
      expect(bins.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 9);
    }),
  );
});

test('a cell has the best point of its two values, and every pair of three parameters a map', () => {
  const params = [
    { name: 'a', values: ['1', '2'] },
    { name: 'b', values: ['1', '2', '3'] },
    { name: 'fixed', values: ['1'] },
    { name: 'c', values: ['1', '2', '3', '4'] },
  ];
  const value = fc.constantFrom('1', '2', '3', '4');
  const point = fc.record({
    values: fc.tuple(value, value, fc.constant('1'), value),
    objective: fc.option(fc.integer({ min: -9, max: 9 })),
  });
  fc.assert(
    fc.property(fc.array(point, { maxLength: 30 }), (drawn) => {
      const ranked = drawn
        .toSorted((a, b) => (b.objective ?? -Infinity) - (a.objective ?? -Infinity))
        .map(({ values, objective }) => ({ job: { values }, objective }));
      const maps = heatmapsOf({ params } as unknown as SweepPlan, ranked as never);
      expect(maps.map(({ x, y }) => `${x.name}${y.name}`)).toEqual(['cb', 'ca', 'ba']);
      for (const { x, y, cells } of maps) {
        y.values.forEach((down, row) =>
          x.values.forEach((across, column) => {
            const own = drawn
              .filter(({ values }) => values[x.at] === across && values[y.at] === down)
              .flatMap(({ objective }) => objective ?? []);
            const best = own.length === 0 ? undefined : Math.max(...own);
            expect(cells[row]![column]?.objective).toBe(best);
          }),
        );
      }
    }),
  );
});

test('numbers of cells are short at any size', () => {
  expect([0.123, -9.999, 12.34, 123.4, 12_345, -1_234_567].map(short)).toEqual([
    '0.12',
    '-10.00',
    '12.3',
    '123',
    '12k',
    '-1.2M',
  ]);
});
