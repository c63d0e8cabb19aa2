import type { IntentState } from '../../src/journal/index.ts';
import type { Intent } from '../../src/intents/index.ts';
import type { Simulation } from './Simulation.ts';

/** A fault of an instant counts as long as what it began may last. */
const AFTER_MS = 60_000;

/** What a seed covered: a fault that was in force, a state that an intent reached, and its kind. */
export function createFaultLog(sim: Simulation) {
  const seen = new Set<string>();
  return {
    seen,
    reached(state: IntentState, kind: Intent['kind']): void {
      const now = sim.elapsed();
      for (const fault of sim.scenario.faults) {
        const until = Math.max(fault.until, fault.from + AFTER_MS);
        if (fault.from <= now && now < until) seen.add(`${fault.kind} ${state} ${kind}`);
      }
    },
  };
}
