import { expect, test } from 'vitest';
import { covers, coveredRanges } from './coveredRanges.ts';

const range = (startOffset: number, endOffset: number, count: number) => ({
  startOffset,
  endOffset,
  count,
});
const fn = (...ranges: ReturnType<typeof range>[]) => ({
  functionName: '',
  isBlockCoverage: true,
  ranges,
});

test('an inner range counts for what it holds, the outer one for the rest', () => {
  const covered = coveredRanges([
    fn(range(0, 100, 1)),
    fn(range(10, 40, 0)),
    fn(range(50, 90, 3), range(60, 70, 0)),
  ]);
  expect(covered).toEqual([0, 10, 40, 60, 70, 100]);
  expect(covers(covered, 12, 20)).toBe(false);
  expect(covers(covered, 5, 12)).toBe(true);
  expect(covers(covered, 60, 70)).toBe(false);
  expect(covers(covered, 69, 71)).toBe(true);
});
