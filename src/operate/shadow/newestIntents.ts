import type { ComparedIntent } from './ComparedIntent.ts';

/** Intents of one version, oldest first, and the market time from which they are whole; 0 if all are here. */
export interface NewestIntents {
  intents: readonly ComparedIntent[];
  since: number;
}

/** The newest of them. What the other version decided before has no partner here, and did not part. */
export function newestIntents(intents: readonly ComparedIntent[], most: number): NewestIntents {
  const left = intents.at(-most - 1);
  return left === undefined
    ? { intents, since: 0 }
    : { intents: intents.slice(-most), since: left.time + 1 };
}
