import { expect, test } from 'vitest';
import { describeDifference } from '../../../src/cli/output/describeDifference.ts';

const emission = { marketTime: Date.UTC(2025, 0, 4), decisionKey: 'main/ema/bar#0' };
const described = (more: object): string[] =>
  describeDifference({ index: 4, first: emission, second: emission, fields: [], ...more } as never)
    .split('\n')
    .slice(0, -1);
const HEAD = '  intent 5 at 2025-01-04T00:00:00.000Z: main/ema/bar#0';

test('the intent is counted from one, and named with its time', () => {
  expect(described({})).toEqual([HEAD]);
});

test.each([
  ['first', { second: undefined }],
  ['second', { first: undefined }],
])('an intent that only the %s has is said to be only there', (which, more) => {
  expect(described(more)).toEqual([HEAD, `    only in the ${which}`]);
});

test('a field goes from what the first has to what the second has, however long it is', () => {
  const fields = [
    { path: 'size', first: 1, second: 2 },
    { path: '', first: undefined, second: 'x'.repeat(500) },
    { path: 'note', first: 'y'.repeat(118), second: 'y'.repeat(119) },
  ];
  expect(described({ fields })).toEqual([
    HEAD,
    '    size: 1 → 2',
    `    all of it: nothing → "${'x'.repeat(119)}…`,
    `    note: "${'y'.repeat(118)}" → "${'y'.repeat(119)}…`,
  ]);
});
