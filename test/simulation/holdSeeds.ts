import { expect, test } from 'vitest';
import { drawScenario } from './Scenario.ts';
import { simulate } from './simulate.ts';

/** Seeds of every test run; `npm run simulate -- --seeds N` runs more. */
export const SEEDS = 500;
const CHUNK = 25;
/** What a busy machine may need for a chunk; none of it is waiting. */
const TIMEOUT_MS = 180_000;

/** Expects a seed to hold every invariant; a failure says how to see it again. */
export async function expectHeld(seed: string): Promise<void> {
  const { violation } = await simulate(drawScenario(seed));
  expect(violation?.message, `npm run simulate -- --seed ${seed}`).toBeUndefined();
}

/** Tests that hold seeds from `first` to `last`; two files share the work, so that two cores do. */
export function holdSeeds(first: number, last: number): void {
  for (let start = first; start <= last; start += CHUNK) {
    const end = Math.min(start + CHUNK - 1, last);
    test(
      `seeds ${start} to ${end} hold every invariant`,
      async () => {
        for (let seed = start; seed <= end; seed++) await expectHeld(String(seed));
      },
      TIMEOUT_MS,
    );
  }
}
