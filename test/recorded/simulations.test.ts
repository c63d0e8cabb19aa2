import { test } from 'vitest';
import { FAMILIES, seedOf } from '../simulation/Scenario.ts';
import { expectRecorded, type Outcome } from './expectRecorded.ts';
import { watchSimulation } from './watchSimulation.ts';

// Runtime, guards, budget, journal, wire, recovery, kill levels and stops, with what an operator sees of them: what bots
// do and report in an hour of faults, one of each family.
test('an hour of faults leaves what it left before', async () => {
  const outcomes = new Map<string, Outcome>();
  for (const [at, family] of FAMILIES.entries()) {
    const seed = seedOf(at + 1, family);
    outcomes.set(`seed ${seed}`, await watchSimulation(seed));
  }
  await expectRecorded('simulations', outcomes);
}, 300_000);
