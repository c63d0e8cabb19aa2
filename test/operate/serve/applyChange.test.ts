import { expect, test } from 'vitest';
import { applyChange } from '../../../src/operate/serve/page/applyChange.ts';
import type { EventRow, ViewChange, WholeView } from '../../../src/operate/state/index.ts';

const lines = (from: number, count: number): EventRow[] =>
  Array.from({ length: count }, (_none, at): EventRow => ({
    sequence: from + at,
    time: from + at,
    wall_time: from + at,
    level: 'info',
    text: `line ${from + at}`,
    fields: {},
  }));
const view = {
  sequence: 7,
  time: 1_000,
  wall_time: 2_000,
  control: true,
  blocks: { orders: ['an order'], positions: ['a position'] },
  events: lines(0, 198),
} as unknown as WholeView;
const change = {
  sequence: 8,
  time: 1_500,
  wall_time: 2_600,
  blocks: { orders: [] },
  events: lines(198, 3),
} as unknown as ViewChange;

test('a change replaces the blocks that it has, adds its lines, and is of its own time', () => {
  expect(applyChange(view, change)).toEqual({
    sequence: 8,
    time: 1_500,
    wall_time: 2_600,
    control: true,
    blocks: { orders: [], positions: ['a position'] },
    // The newest 200.
    events: lines(1, 200),
  });
});

test.each([6, 7, 9, 70])('after change 7, change %i is none that follows', (sequence) => {
  expect(applyChange(view, { ...change, sequence })).toBeUndefined();
});
