import { expect, test } from 'vitest';
import { sweepCsv } from '../../../backtest/index.ts';
import { jobsInMemory, resultsInMemory } from './inMemory.ts';

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
