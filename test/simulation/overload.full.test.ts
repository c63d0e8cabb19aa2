import { expect, test } from 'vitest';
import { formatOverload, isWithinGoals } from './formatOverload.ts';
import { measureOverload } from './measureOverload.ts';

/** Hours for each test run: both overloaded lanes, both windows; `--overload --hours 1000` runs more. */
const SEEDS = ['1', '3', '13', '17', '48'];
const HANG_MS = 300_000;

test(
  'ten times the budget, and storms of 429s: exits pass, nothing is overspent',
  async () => {
    const figures = await measureOverload(SEEDS);
    expect(isWithinGoals(figures), formatOverload(figures)).toBe(true);
    expect(Object.keys(figures.lanes).sort()).toEqual(['control', 'entry', 'exit']);
    expect(figures.exits).toBeGreaterThan(1_000);
    expect(figures.findings).toBeGreaterThan(0);
  },
  HANG_MS,
);
