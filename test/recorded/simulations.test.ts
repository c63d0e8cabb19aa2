import { test } from 'vitest';
import { seedOf } from '../simulation/Scenario.ts';
import { drawOperation } from './drawOperation.ts';
import { expectRecorded, type Outcome } from './expectRecorded.ts';
import { watchSimulation } from './watchSimulation.ts';

/** Families whose bots also end and start again in other ways than by a crash. */
const OPERATED = [
  'w',
  'lw',
  'ow',
  'losw',
  'tw',
  'lmostw',
  'lopstw',
  'dlostw',
  'flow',
  'jw',
] as const;

// Runtime, guards, budget, journal, wire, recovery, kill levels and stops, with what an operator sees of them: what bots
// do and report in an hour of faults, under any guards, while an operator pauses, promotes, settles and rotates keys, and
// each next process has other strategies.
test('an hour of faults and commands leaves what it left before', async () => {
  const outcomes = new Map<string, Outcome>();
  for (const [at, family] of OPERATED.entries()) {
    const seed = seedOf(at + 101, family);
    outcomes.set(`seed ${seed}`, await watchSimulation(seed, drawOperation(seed)));
  }
  await expectRecorded('operatedSimulations', outcomes);
}, 600_000);
