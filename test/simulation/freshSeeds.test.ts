import { describe } from 'vitest';
import { freshSeeds } from '../tiers.ts';
import { holdSeeds } from './holdSeeds.ts';

/** A file of its own, so that two cores share the seeds; `npm run simulate -- --seeds N` runs more. */
describe('one virtual hour of faults, then peace: seeds that no earlier commit had', () => {
  holdSeeds(freshSeeds(100));
});
