import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { heatmapsOf, short } from '../../../backtest/sweep/page/heatmaps.ts';
import { logitBins } from '../../../backtest/sweep/page/logitsSvg.ts';
import { stitchTests } from '../../../backtest/sweep/page/outOfSample.ts';
import { pointCommand } from '../../../backtest/sweep/page/pointCommand.ts';
import { parseTimeRange, type SweepPlan } from '../../../backtest/index.ts';
import type { PointFigures } from '../../../backtest/sweep/PointResult.ts';
import { edgeReturns } from '../../../backtest/sweep/edgeReturns.ts';
import { dailyReturns } from '../../../src/statistics/index.ts';
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
  const [HOUR, CAPITAL] = [3_600_000, 1_000];
  type Curve = Array<readonly [time: number, pnl: number]>;
  /** Tests that follow one another, by the P&L of each hour. */
  const drawn = fc
    .record({
      from: fc.integer({ min: 0, max: 30 }).map((hours) => START + hours * HOUR),
      hours: fc.integer({ min: 1, max: 80 }),
      tests: fc.array(fc.array(fc.integer({ min: -5, max: 6 }), { minLength: 80, maxLength: 80 }), {
        minLength: 1,
        maxLength: 4,
      }),
    })
    .map(({ from, hours, tests }) =>
      tests.map((changes, window): Curve => {
        const start = from + window * hours * HOUR;
        let pnl = 0;
        const rest = changes.slice(0, hours).map((change, at) => {
          return [start + (at + 1) * HOUR, (pnl += change)] as const;
        });
        return [[start, 0], ...rest];
      }),
    );
  const endedOf = (curves: readonly Curve[]) => {
    const jobs = curves.map((curve, window) => ({
      ...job({ from: curve[0]![0], until: curve.at(-1)![0] }, window),
      window,
      part: 'test' as const,
    }));
    const results = curves.map((curve, index) => ({
      index,
      figures: { pnl: curve.at(-1)![1] } as PointFigures,
      returns: dailyReturns(curve, CAPITAL),
      edges: edgeReturns(curve, CAPITAL),
      trades: [],
    }));
    return outcomeOf(jobs.toReversed(), results);
  };
  const wholeOf = (curve: Curve): number => 1 + curve.at(-1)![1] / CAPITAL;

  test('are all of each, at every midnight and at its end: as if each began with what the last one left', () => {
    fc.assert(
      fc.property(drawn, (curves) => {
        const { curve } = stitchTests(endedOf(curves))!;
        const expected = [[curves[0]![0]![0], 1]];
        let worth = 1;
        for (const one of curves) {
          const until = one.at(-1)![0];
          for (const [time, pnl] of one.slice(1)) {
            if (time % DAY === 0 || time === until)
              expected.push([time, worth * (1 + pnl / CAPITAL)]);
          }
          worth *= wholeOf(one);
        }
        expect(curve.map(([time]) => time)).toEqual(expected.map(([time]) => time));
        expected.forEach(([, value], at) => {
          expect(curve[at]![1]).toBeCloseTo((value! - 1) * 100, 9);
        });
        const total = curves.reduce((product, one) => product * wholeOf(one), 1);
        expect(curve.at(-1)![1]).toBeCloseTo((total - 1) * 100, 9);
      }),
    );
  });

  test('fall from the highest point before; none is no curve', () => {
    fc.assert(
      fc.property(drawn, (curves) => {
        const { curve, drawdown } = stitchTests(endedOf(curves))!;
        const worths = curve.map(([, percent]) => 1 + percent / 100);
        worths.forEach((worth, at) => {
          const peak = Math.max(...worths.slice(0, at + 1));
          expect(drawdown[at]![1]).toBeCloseTo((worth / peak - 1) * 100, 9);
        });
      }),
    );
    expect(stitchTests(endedOf([]))).toBeNull();
  });

  test('a part of a day that began without equity counts as nothing, as such a day does', () => {
    const ruined: Curve = [
      [START - HOUR, 0],
      [START, -CAPITAL],
      [START + HOUR, 5 - CAPITAL],
    ];
    expect(edgeReturns(ruined, CAPITAL)).toEqual([-1, 0]);
    expect(edgeReturns([], CAPITAL)).toEqual([0, 0]);
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
