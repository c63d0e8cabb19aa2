import { describe, expect, test } from 'vitest';
import type { SharedBudget } from '../../src/budget/index.ts';
import { rotated } from '../tiers.ts';
import { simulateShared } from './simulateShared.ts';

const SEEDS = Array.from({ length: 12 }, (_none, index) => String(index + 1));

/** Bugs of one bot's shared budget, and the invariant that shows each. */
const BUGS: Readonly<
  Record<string, [breaks: string, wrap: (budget: SharedBudget) => SharedBudget]>
> = {
  'what is sent is not told to the ledger': ['overspent', (it) => ({ ...it, spend: () => {} })],
  'every request is as urgent as a cancel': [
    'exit_waits',
    (it) => ({ ...it, admit: (_lane, weight) => it.admit('control', weight) }),
  ],
};

describe('two bots with one key', () => {
  test.each(rotated(SEEDS, 1))(
    'seed %s: together they keep to the budget, and no entry delays an exit of the other',
    async (seed) => {
      const { violation, greedy, calm, digest } = await simulateShared(seed);
      expect(violation?.message).toBeUndefined();
      expect(greedy.sends).toBeGreaterThan(calm.sends);
      expect(calm.waits.length).toBeGreaterThan(20);
      expect((await simulateShared(seed)).digest).toBe(digest);
    },
  );

  test.each(rotated(Object.keys(BUGS), 1))('a planted bug is found: %s', async (name) => {
    const [breaks, wrap] = BUGS[name]!;
    const found: Array<string | undefined> = [];
    for (const seed of SEEDS) {
      const { violation } = await simulateShared(seed, wrap);
      found.push(violation?.invariant);
      if (violation !== null) break;
    }
    expect(found.at(-1), found.join(' ')).toBe(breaks);
  });
});
