import { expect, test } from 'vitest';
import { addFill, contradicts, createTally } from '../../../src/runtime/control/positionTally.ts';

test('a size that differs by more than a rounding contradicts, whatever its scale', () => {
  for (const size of [0.002, 1, -1, 250, 1e6]) {
    const tally = createTally(size);
    expect(contradicts(tally, size * (1 + 1e-7))).toBe(false);
    for (const off of [1e-5, 1e-4, 5e-4]) {
      expect(contradicts(tally, size * (1 + off))).toBe(true);
      expect(contradicts(tally, size * (1 - off))).toBe(true);
    }
  }
});

test('the rounding is that of the greatest size on the way', () => {
  const tally = createTally(1_000);
  addFill(tally, { side: 'sell', size: 999, time: 2 }, 1);
  // Sums of floats are as far off as their largest part.
  expect(contradicts(tally, 1 + 5e-4)).toBe(false);
  expect(contradicts(tally, 1 + 5e-3)).toBe(true);
});
