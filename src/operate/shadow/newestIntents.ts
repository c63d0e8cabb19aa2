import type { ComparedIntent } from './ComparedIntent.ts';

/** Intents of one version, oldest first, and the market time from which they are whole; 0 if all are here. */
export interface NewestIntents {
  intents: readonly ComparedIntent[];
  since: number;
}

/** The newest of them. What the other version decided before has no partner here, and did not part. */
export function newestIntents(intents: readonly ComparedIntent[], most: number): NewestIntents {
  const dropped = intents.slice(0, -most);
  // What was decided in a catch-up is about an earlier time than what was decided before it.
  const since = dropped.reduce((latest, { time }) => Math.max(latest, time + 1), 0);
  return { intents: intents.slice(-most), since };
}
