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

test('too many sizes that may be right contradict nothing, and one that is right among few never does', () => {
  const tally = createTally(0);
  let right = [0];
  for (let size = 1; size <= 64; size *= 2) {
    addFill(tally, { side: 'buy', size, time: 1 }, 1);
    right = [...right, ...right.map((one) => one + size)];
    for (const shown of right) expect(contradicts(tally, shown)).toBe(false);
    expect(contradicts(tally, -1)).toBe(right.length <= 64);
  }
});

test('the rounding is that of the first size on the way, of a short too', () => {
  for (const sign of [1, -1]) {
    const tally = createTally(sign * 1_000);
    addFill(tally, { side: sign > 0 ? 'sell' : 'buy', size: 500, time: 2 }, 1);
    addFill(tally, { side: sign > 0 ? 'sell' : 'buy', size: 499, time: 3 }, 1);
    expect(contradicts(tally, sign * (1 + 8e-4))).toBe(false);
    expect(contradicts(tally, sign * (1 + 5e-3))).toBe(true);
  }
});
