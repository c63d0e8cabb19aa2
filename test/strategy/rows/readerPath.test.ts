import { describe, expect, test } from 'vitest';
import { readerPath } from '../../../src/strategy/rows/readerPath.ts';

type Row = { fast: number; bands: { upper: number }; bar: { close: number } };
const source = (text: string): ((row: never) => unknown) =>
  // oxlint-disable-next-line typescript/no-implied-eval
  new Function(`return ${text};`)() as (row: never) => unknown;

describe('a function that only reads a path of its argument is known by its text', () => {
  test.each<[string, readonly string[]]>([
    ['({ fast }) => fast', ['fast']],
    ['({fast})=>fast', ['fast']],
    ['({ fast: line }) => line', ['fast']],
    ['({ bands, }) => bands.upper', ['bands', 'upper']],
    ['(row) => row.bands.upper', ['bands', 'upper']],
    ['row => row.fast', ['fast']],
    ['(row     )         => row.fast', ['fast']],
    ['({ fast }        ) => (fast)', ['fast']],
    ['(value) => value', []],
    ['$_1 => $_1.$a', ['$a']],
  ])('%s', (text, path) => {
    expect(readerPath(source(text))).toEqual(path);
  });

  test('also with types, which are taken out', () => {
    expect(readerPath((row: Row): number => row.bar.close)).toEqual(['bar', 'close']);
  });
});

test.each([
  '({ fast }) => fast + 1',
  '({ fast }) => -fast',
  '({ fast, slow }) => fast',
  '({ fast = 1 }) => fast',
  '({ fast }) => slow',
  '({ fast: line }) => fast',
  '(row) => other.fast',
  '(row) => row.fast()',
  '(row) => row["fast"]',
  '(row) => row?.fast',
  '(row) => row.fast.toFixed(2)',
  '(row) => { return row.fast; }',
  '(row, index) => row.fast',
  '(row) => (count++, row.fast)',
  'async (row) => row.fast',
  'function (row) { return row.fast; }',
  '(() => {}).bind(null)',
  '([first]) => first',
])('any other is not: %s', (text) => {
  expect(readerPath(source(text))).toBe(undefined);
});
