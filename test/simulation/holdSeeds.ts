import { expect, test } from 'vitest';
import { drawScenario } from './Scenario.ts';
import { simulate } from './simulate.ts';

const CHUNK = 25;
/** Time that a busy machine may need for a chunk, all of it CPU. */
const TIMEOUT_MS = 180_000;

/** Expects a seed to hold every invariant; a failure prints how to reproduce it. */
export async function expectHeld(seed: string): Promise<void> {
  const { violation } = await simulate(drawScenario(seed));
  expect(violation?.message, `npm run simulate -- --seed ${seed}`).toBeUndefined();
}

/** Tests that run seeds in chunks. */
export function holdSeeds(seeds: readonly string[]): void {
  for (let start = 0; start < seeds.length; start += CHUNK) {
    const chunk = seeds.slice(start, start + CHUNK);
    test(
      `seeds ${chunk[0]} to ${chunk.at(-1)} hold every invariant`,
      async () => {
        for (const seed of chunk) await expectHeld(seed);
      },
      TIMEOUT_MS,
    );
  }
}
