import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { formatSoak, growthADay, isFlat } from './formatSoak.ts';
import { soak, type SoakDay } from './soak.ts';

const day = (number: number, heapBytes: number, timers = 3): SoakDay => ({
  day: number,
  heapBytes,
  timers,
  resources: 1,
  sends: 0,
  processes: 1,
});

test('a bot goes on trading through hours of faults, with a handful of timers', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-soak-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const journal = join(folder, 'journal.sqlite');
  const [only] = await soak({ days: 1, hoursADay: 4, seed: 'test', journal });
  expect(only!.sends).toBeGreaterThan(300);
  expect(only!.processes).toBeGreaterThan(1);
  expect(only!.timers).toBeLessThan(60);
}, 300_000);

test('a heap or timers that grow day by day are no flat soak', () => {
  const flat = [60, 70, 71, 70.5, 71.2, 70.8].map((megabytes, index) =>
    day(index, megabytes * 1e6),
  );
  expect(isFlat(flat), formatSoak(flat)).toBe(true);
  const leaking = [60, 70, 72, 74, 76, 78].map((megabytes, index) => day(index, megabytes * 1e6));
  expect(growthADay(leaking)).toBe(2e6);
  expect(isFlat(leaking)).toBe(false);
  expect(isFlat(flat.map((one, index) => ({ ...one, timers: 3 + 10 * index })))).toBe(false);
});
