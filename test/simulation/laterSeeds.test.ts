import { describe } from 'vitest';
import { holdSeeds, SEEDS } from './holdSeeds.ts';

describe('one virtual hour of faults, then peace: the second half of the seeds', () => {
  holdSeeds(SEEDS / 2 + 1, SEEDS);
});
