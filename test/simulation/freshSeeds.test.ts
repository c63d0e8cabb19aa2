import { describe } from 'vitest';
import { freshSeeds, isFull } from '../tiers.ts';
import { FAMILIES, seedOf } from './Scenario.ts';
import { holdSeeds } from './holdSeeds.ts';

/** In a separate file, so that two cores share the seeds; `npm run simulate -- --seeds N` runs more. */
describe('one virtual hour of faults, then recovery: seeds that no earlier commit ran', () => {
  const seeds = freshSeeds(isFull ? 100 : 24);
  holdSeeds(seeds.map((seed, at) => seedOf(Number(seed), FAMILIES[at % FAMILIES.length]!)));
});
