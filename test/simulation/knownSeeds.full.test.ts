import { describe } from 'vitest';
import { KNOWN_SEEDS } from '../tiers.ts';
import { holdSeeds } from './holdSeeds.ts';

describe('one virtual hour of faults, then peace: the seeds that every full run holds', () => {
  holdSeeds(Array.from({ length: KNOWN_SEEDS }, (_none, index) => String(index + 1)));
});
