import { expect, test } from 'vitest';
import { createRowProgress, type Recording } from '../../src/operate/recording/index.ts';

const rows = ['a', 'b', 'a'].map((instance) => ({ instance, line: ['done'] as ['done'] }));
const listing = (lines: number) => ({ lines, emissions: [], histories: [] });
const recording = {
  instances: new Map([
    ['a', listing(2)],
    ['b', listing(1)],
  ]),
  rows: () => rows,
  isComplete: true,
} as unknown as Recording;

/** Processes a number of rows, one second each. */
function goThrough(count: number, isTTY: boolean): string[] {
  const written: string[] = [];
  let now = 0;
  // A second passes between two looks at the clock.
  const stream = { write: (text: string) => written.push(text), isTTY };
  const seen = [];
  for (const row of createRowProgress(recording, { stream, now: () => (now += 1_000) }).rows()) {
    seen.push(row);
    if (seen.length === count) break;
  }
  expect(seen).toEqual(rows.slice(0, count));
  return written;
}

test('a pass over a recording shows progress on a terminal', () => {
  expect(goThrough(3, true)).toEqual([
    expect.stringMatching(/^\r0 of 3 lines\S*$/),
    expect.stringContaining('\r1 of 3 lines, 0.5 a second, 4 s left'),
    expect.stringContaining('\r2 of 3 lines, 0.7 a second, 2 s left'),
    expect.stringMatching(/^\r3 of 3 lines.*\n$/),
  ]);
});

test('an early end leaves the line', () => {
  const written = goThrough(2, true);
  expect(written.at(-1)).toBe('\n');
  expect(written.join('').match(/\n/g)).toHaveLength(1);
});

test('away from a terminal nothing is shown', () => {
  expect(goThrough(3, false)).toEqual([]);
});
