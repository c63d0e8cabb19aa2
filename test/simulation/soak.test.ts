import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { formatSoak, growthADay, isFlat } from './formatSoak.ts';
import { soak, type SoakHour } from './soak.ts';

/** Measured every fourth hour, as a soak is. */
const hoursOf = (heapBytes: (hour: number) => number, count = 168): SoakHour[] =>
  Array.from({ length: count / 4 }, (_, index) => {
    const hour = 4 * (index + 1);
    const retained = { retainedIds: 100 * hour, retainedBytes: 12_000 * hour };
    const heap = { hour, heapBytes: heapBytes(hour), ...retained };
    return { ...heap, timers: 3, resources: 1, sends: 0, processes: 1 };
  });

/** Warms up by ten megabytes, then fluctuates by a fifth of one. */
const flatHeap = (hour: number): number =>
  35e6 - 10e6 * Math.exp(-hour / 8) + 0.2e6 * Math.sin(hour * hour);

test('a bot keeps trading through hours of faults, with a handful of timers', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-soak-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const journal = join(folder, 'journal.sqlite');
  const [only] = await soak({ hours: 4, seed: 'test', journal });
  expect(only!.sends).toBeGreaterThan(300);
  expect(only!.processes).toBeGreaterThan(1);
  expect(only!.timers).toBeLessThan(60);
  expect(only!.retainedIds).toBeGreaterThan(100);
}, 300_000);

test('a heap that fluctuates without growth is flat', () => {
  const flat = hoursOf(flatHeap);
  expect(isFlat(flat), formatSoak(flat)).toBe(true);
});

test('a heap that grows by a fifth of a megabyte per day is not flat', () => {
  const leaking = hoursOf((hour) => flatHeap(hour) + (0.2e6 / 24) * hour);
  expect(growthADay(leaking)! / 0.2e6).toBeCloseTo(1, 0);
  expect(isFlat(leaking), formatSoak(leaking)).toBe(false);
});

test('a single drop, as from the compiler, does not hide a leak', () => {
  const dropped = hoursOf((hour) => flatHeap(hour) + 12_000 * hour - (hour > 150 ? 2e6 : 0));
  expect(isFlat(dropped), formatSoak(dropped)).toBe(false);
});

test('growing timers or handles are not flat', () => {
  const flat = hoursOf(flatHeap);
  expect(isFlat(flat.map((one, index) => ({ ...one, timers: 3 + index })))).toBe(false);
  expect(isFlat(flat.map((one, index) => ({ ...one, resources: 1 + index })))).toBe(false);
});

test('a soak that ends before warm-up is reported as too short', () => {
  const short = hoursOf(flatHeap, 48);
  expect(isFlat(short)).toBe(false);
  expect(formatSoak(short)).toContain('TOO SHORT');
});
