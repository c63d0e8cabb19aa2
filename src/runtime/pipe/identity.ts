import { idempotencyKeyOf, type Journal } from '../../journal/index.ts';
import type { Emission } from '../../strategy/Emission.ts';
import type { Meant } from '../wallet/index.ts';
import type { PersistedIntent } from './PersistedIntent.ts';
import type { PipeItem } from './PipeItem.ts';

export interface Identity {
  /** Idempotency key. */
  key: string;
  generation: number;
  /** The journal holds it already: the decision was made before. */
  isKnown: boolean;
}

/** The key of a decision: its generation grows only when the previous one is proven absent. */
export function identityOf(journal: Journal, decisionKey: string): Identity {
  for (let generation = 0; ; generation++) {
    const key = idempotencyKeyOf(decisionKey, generation);
    const state = journal.stateOf(key);
    if (state !== 'absent') return { key, generation, isKnown: state !== undefined };
  }
}

/** An emission as it enters the pipe. */
export function startOf(
  emission: Emission,
  { key, generation }: Identity,
  decided: number,
  meant?: Meant,
): PipeItem {
  const cause = causeOf(emission);
  // After a restart the ref may name what was decided later.
  const data = meant === undefined ? cause : { ...cause, maker: meant.key };
  const steps = [{ state: 'emitted' as const, data }];
  return { emission, key, generation, decided, steps, opened: false, attempt: 0, meant };
}

/** An intent as an earlier process left it. */
export function reopen(
  { emission, key, generation, attempt }: PersistedIntent,
  decided: number,
  meant?: Meant,
): PipeItem {
  return { emission, key, generation, decided, steps: [], opened: true, attempt, meant };
}

/** What an operator needs to understand a decision later. */
function causeOf(emission: Emission): Record<string, unknown> {
  const { cause, ordinal, marketTime, causeTime = marketTime, isCatchUp } = emission;
  const known = { cause, ordinal, marketTime };
  if (causeTime === marketTime && isCatchUp !== true) return known;
  return isCatchUp === true ? { ...known, causeTime, isCatchUp } : { ...known, causeTime };
}
