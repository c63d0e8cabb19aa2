import { INTERVAL_MS, type Interval } from '../../contract/index.ts';
import type { DecisionCause } from '../../guards/index.ts';
import type { Emission } from '../../strategy/index.ts';

/** What an emission was decided on, for the guards; undefined for an operator's. */
export function causeOf(emission: Emission): DecisionCause | undefined {
  const { causeTime: time, trigger, isCatchUp, isOvertaken } = emission;
  if (time === undefined) return undefined;
  const bar = trigger['bar'] as { interval?: Interval } | undefined;
  const intervalMs = bar?.interval === undefined ? undefined : INTERVAL_MS[bar.interval];
  return { time, intervalMs, isCatchUp, isOvertaken };
}
