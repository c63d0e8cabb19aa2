import { PLANT_NAMES, plantOf } from './plants.ts';
import { drawScenario, seedOf } from './Scenario.ts';
import { simulate } from './simulate.ts';

export interface Tooth {
  name: string;
  /** The first seed that found it; null if none did. */
  seed: number | null;
  /** Which invariant broke. */
  invariant: string;
}

/** For each planted bug, the first seed that finds it. Without the bug the same seeds pass. */
export async function findTeeth(seeds: number, onTooth: (tooth: Tooth) => void): Promise<Tooth[]> {
  const teeth: Tooth[] = [];
  for (const name of PLANT_NAMES) {
    const tooth = await findTooth(name, seeds);
    teeth.push(tooth);
    onTooth(tooth);
  }
  return teeth;
}

async function findTooth(name: string, seeds: number): Promise<Tooth> {
  for (let seed = 1; seed <= seeds; seed++) {
    const plant = plantOf(name);
    const scenario = drawScenario(seedOf(seed, plant.family ?? ''));
    const { violation } = await simulate(scenario, { plant });
    if (violation === null) continue;
    // A seed that fails without the bug has found nothing.
    const clean = await simulate(scenario);
    if (clean.violation === null) return { name, seed, invariant: violation.invariant };
  }
  return { name, seed: null, invariant: '' };
}

export function medianSeed(teeth: readonly Tooth[]): number {
  const seeds = teeth.map(({ seed }) => seed ?? Infinity).sort((a, b) => a - b);
  return seeds[Math.floor(seeds.length / 2)] ?? Infinity;
}
