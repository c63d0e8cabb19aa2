import { expect, test } from 'vitest';
import { formatGap } from '../../../src/operate/journal/formatLife.ts';

test.each([
  [0, '0 ms'],
  [1.4, '1 ms'],
  [9_999, '9999 ms'],
  [10_000, '10.0 s'],
  [61_250, '61.3 s'],
  // The wall clock was set back between two steps.
  [-9_999, '-9999 ms'],
  [-10_000, '-10.0 s'],
  [-3_600_000, '-3600.0 s'],
])('%d ms between two steps are %s', (gapMs, text) => {
  expect(formatGap(gapMs)).toBe(text);
});
