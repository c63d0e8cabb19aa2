import { test } from 'vitest';
import { drawOverload } from '../simulation/drawOverload.ts';
import { FAMILIES, seedOf } from '../simulation/Scenario.ts';
import { simulate } from '../simulation/simulate.ts';
import { simulateShared } from '../simulation/simulateShared.ts';
import { expectRecorded, type Outcome } from './expectRecorded.ts';
import { watchSimulation } from './watchSimulation.ts';

// What bots do and report in an hour of faults, one of each family.
test('an hour of faults leaves what it left before', async () => {
  const outcomes = new Map<string, Outcome>();
  for (const [at, family] of FAMILIES.entries()) {
    const seed = seedOf(at + 1, family);
    outcomes.set(`seed ${seed}`, await watchSimulation(seed));
  }
  await expectRecorded('simulations', outcomes);
}, 600_000);

// Ten times what a budget carries, and two bots that share one key's.
test('scarce budgets leave what they left before', async () => {
  const outcomes = new Map<string, Outcome>();
  for (const seed of ['1']) {
    const { digest, lanes, exitWaits, sends } = await simulate(drawOverload(seed));
    const figures = JSON.stringify([sends, exitWaits, [...lanes]]);
    outcomes.set(`overload ${seed}`, new Map([['traffic', [digest, figures]]]));
  }
  for (const seed of ['1', '2', '3']) {
    const { digest, ...rest } = await simulateShared(seed);
    outcomes.set(`shared ${seed}`, new Map([['traffic', [digest, JSON.stringify(rest)]]]));
  }
  await expectRecorded('scarceBudgets', outcomes);
}, 600_000);
