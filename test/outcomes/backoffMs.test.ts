import { expect, test } from 'vitest';
import { backoffMs } from '../../src/outcomes/index.ts';

const at = (attempt: number, share: number): number =>
  backoffMs(attempt, { next: () => share } as never);

test('a wait is drawn between a quarter of a second and twice as much with each attempt, 20 s at most', () => {
  for (const [attempt, most] of [
    [1, 500],
    [2, 1_000],
    [6, 16_000],
    [7, 20_000],
    [500, 20_000],
  ] as const) {
    expect([at(attempt, 0), at(attempt, 1)]).toEqual([250, most]);
    expect(at(attempt, 0.5)).toBe((250 + most) / 2);
  }
});
