import { afterEach, describe, expect, test, vi } from 'vitest';
import type * as CatchUp from '../../src/guards/catchUp.ts';
import type * as Snapshots from '../../src/runtime/wallet/createSnapshotCoverage.ts';
import type * as Ledgers from '../../src/runtime/record/createLedger.ts';
import type * as Exposure from '../../src/runtime/wallet/createExposure.ts';
import { rotated } from '../tiers.ts';
import { PLANT_NAMES, plantOf } from './plants.ts';
import type { Plant } from './Plant.ts';
import { drawScenario, seedOf, type Family } from './Scenario.ts';
import { simulate } from './simulate.ts';

/** A bug inside the runtime, where no port can be wrapped. */
const inside = vi.hoisted(() => ({
  forgetsExposure: false,
  tradesGaps: false,
  countsAgain: false,
  takesAsCome: false,
}));

vi.mock('../../src/guards/catchUp.ts', async (original) => {
  const { catchUp } = await original<typeof CatchUp>();
  const wrapped: typeof catchUp = (intent, snapshot) =>
    inside.tradesGaps ? { passed: true } : catchUp(intent, snapshot);
  return { catchUp: wrapped };
});

vi.mock('../../src/runtime/wallet/createExposure.ts', async (original) => {
  const { createExposure } = await original<typeof Exposure>();
  const wrapped: typeof createExposure = () => {
    const exposure = createExposure();
    const pending: typeof exposure.pending = (...given) =>
      inside.forgetsExposure ? 0 : exposure.pending(...given);
    return { ...exposure, pending };
  };
  return { createExposure: wrapped };
});

vi.mock('../../src/runtime/wallet/createSnapshotCoverage.ts', async (original) => {
  const { createSnapshotCoverage } = await original<typeof Snapshots>();
  const wrapped: typeof createSnapshotCoverage = () => {
    const coverage = createSnapshotCoverage();
    const includesFill: typeof coverage.includesFill = (fill) =>
      !inside.countsAgain && coverage.includesFill(fill);
    return { ...coverage, includesFill };
  };
  return { createSnapshotCoverage: wrapped };
});

vi.mock('../../src/runtime/record/createLedger.ts', async (original) => {
  const { createLedger } = await original<typeof Ledgers>();
  const wrapped: typeof createLedger = () => {
    const ledger = createLedger();
    return {
      ...ledger,
      fill: (fill) => ledger.fill(inside.takesAsCome ? { ...fill, time: 0 } : fill),
    };
  };
  return { createLedger: wrapped };
});

/** `npm run simulate -- --teeth --seeds 1000` prints the first seed of each, and the median. */
const SEEDS = 80;
/** Milliseconds; a late bug takes dozens of seeds, and machines differ in speed. */
const timeout = 180_000;

async function firstSeed(
  plant: () => Plant | undefined,
  family: Family = '',
): Promise<number | null> {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const made = plant();
    const options = made === undefined ? {} : { plant: made };
    const { violation } = await simulate(
      drawScenario(seedOf(seed, made?.family ?? family)),
      options,
    );
    if (violation !== null) return seed;
  }
  return null;
}

afterEach(() => {
  inside.forgetsExposure = false;
  inside.tradesGaps = false;
  inside.countsAgain = false;
  inside.takesAsCome = false;
});

/** Bugs by name: those that wrap a port, and those inside the runtime. */
const BUGS: ReadonlyMap<string, () => Promise<number | null>> = new Map([
  ...PLANT_NAMES.map((name) => [name, () => firstSeed(() => plantOf(name))] as const),
  [
    'exposure that is on its way is forgotten',
    () => {
      inside.forgetsExposure = true;
      return firstSeed(() => undefined);
    },
  ],
  [
    'bars that closed while the line was gone are traded',
    () => {
      inside.tradesGaps = true;
      return firstSeed(() => undefined);
    },
  ],
  [
    'a fill that a snapshot holds is counted again',
    () => {
      inside.countsAgain = true;
      // Late lists and little cash: a family of no seed that is drawn anew.
      return firstSeed(() => undefined, 'lm' as Family);
    },
  ],
  [
    'a fill that is read late counts as the last',
    () => {
      inside.takesAsCome = true;
      return firstSeed(() => undefined, 'l');
    },
  ],
]);

describe('a planted bug is found', () => {
  test.each(rotated([...BUGS.keys()], 8))('%s', { timeout }, async (name) => {
    expect(await BUGS.get(name)!(), name).not.toBeNull();
  });
});

test('there are enough of them', () => {
  expect(new Set(PLANT_NAMES).size).toBeGreaterThanOrEqual(25);
});
