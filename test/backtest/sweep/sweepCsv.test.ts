import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sweepCsv, type PointResult, type SweepJob } from '../../../backtest/index.ts';
import { FIGURES } from '../../../backtest/sweep/PointResult.ts';
import { holdLaw } from '../../holdLaw.ts';
import { jobsInMemory, resultsInMemory } from './inMemory.ts';
import { outcomeOf } from './outcomeOf.ts';

test('no two columns have the same name, whatever the parameters are called', () => {
  const names = ['window', 'trades', 'fast', 'param_fees', 'fees', 'fault'];
  const params = names.map((name) => ({ name, values: ['1'] }));
  const outcome = { jobs: jobsInMemory([]), tests: [], results: resultsInMemory([]) };
  const [head = ''] = [...sweepCsv({ params }, outcome)].join('').split('\n');
  const columns = head.split(',');
  expect(new Set(columns).size).toBe(columns.length);
  expect(columns.slice(3, 9)).toEqual([
    'param_window',
    'param_trades',
    'fast',
    'param_fees',
    'param_param_fees',
    'param_fault',
  ]);
});

/** As a spreadsheet reads it. */
function cellsOf(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain = '', end] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n)/g,
  )) {
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === '\n') rows.push([]);
  }
  expect(rows.pop()).toEqual([]);
  return rows;
}

test('a table reads back as it was computed: trainings and their tests, figures, and faults in any words', async () => {
  const words = fc.array(fc.constantFrom('a', ',', '"', '\n', '\r', ' '), { minLength: 1 });
  const drawn = fc.record({
    faults: fc.array(fc.option(words.map((each) => each.join(''))), { minLength: 6, maxLength: 6 }),
    pnls: fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), {
      minLength: 6,
      maxLength: 6,
    }),
    hasFirstTest: fc.boolean(),
  });
  await holdLaw(200, drawn, ({ faults, pnls, hasFirstTest }) => {
    const values = ['x y', '7'];
    const params = [{ name: 'fast', values }];
    const jobOf = (index: number, part: 'train' | 'test', window: number): SweepJob => {
      return { index, values: [values[index % 2]!], range: {}, window, part };
    };
    // A window that chose nothing has no test.
    const jobs = [
      ...[0, 1, 2, 3].map((index) => jobOf(index, 'train', index >> 1)),
      ...(hasFirstTest ? [jobOf(4, 'test', 0)] : []),
      jobOf(5, 'test', 1),
    ];
    const results = jobs.map(({ index }): PointResult => {
      const fault = faults[index]!;
      const none = Object.fromEntries(FIGURES.map((name) => [name, null]));
      const figures = { ...none, pnl: pnls[index]! + 0, trades: index } as never;
      if (fault !== null) return { index, fault };
      return { index, figures, returns: [], edges: [0, 0], trades: [] };
    });
    const [head, ...rows] = cellsOf([...sweepCsv({ params }, outcomeOf(jobs, results))].join(''));
    expect(rows).toHaveLength(jobs.length);
    for (const [at, { index, window, part, values: own }] of jobs.entries()) {
      const row = Object.fromEntries(head!.map((name, column) => [name, rows[at]![column]]));
      const fault = faults[index]!;
      expect(row).toMatchObject({
        job: String(index),
        window: String(window),
        part,
        fast: own[0],
        pnl: fault === null ? String(pnls[index]! + 0) : '',
        trades: fault === null ? String(index) : '',
        sharpe: '',
        fault: fault ?? '',
      });
    }
  });
});
