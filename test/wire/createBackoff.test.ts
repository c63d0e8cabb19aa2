import { expect, test } from 'vitest';
import { createBackoff } from '../../src/wire/createBackoff.ts';

test('waits are jittered from zero, double, and stop growing at the cap', () => {
  const ceilings = createBackoff({ next: () => 1 }, 250, 30_000);
  const waits = Array.from({ length: 10 }, () => ceilings.next());
  expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  const floors = createBackoff({ next: () => 0 });
  expect([floors.next(), floors.next()]).toEqual([0, 0]);
});

test('after a reset it starts again', () => {
  const backoff = createBackoff({ next: () => 1 });
  backoff.next();
  backoff.next();
  backoff.reset();
  expect(backoff.next()).toBe(250);
});
