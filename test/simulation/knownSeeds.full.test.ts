import { describe } from 'vitest';
import { KNOWN_SEEDS } from '../tiers.ts';
import { holdSeeds } from './holdSeeds.ts';

describe('one virtual hour of faults, then recovery: the seeds of every full run', () => {
  holdSeeds(Array.from({ length: KNOWN_SEEDS }, (_none, index) => String(index + 1)));
});
