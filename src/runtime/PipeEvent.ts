import type { ServiceFault } from '../contract/index.ts';
import type { IntentState } from '../journal/index.ts';
import type { Emission } from '../strategy/Emission.ts';

/** A step in an intent's life, as the pipe tells it to strategies, the ledger and the log. */
export interface PipeEvent {
  /** `duplicate`: the decision stands in the journal already and was not taken again. */
  state: IntentState | 'duplicate';
  emission: Emission;
  /** Idempotency key. */
  key: string;
  /** The service's record, once accepted. */
  record?: unknown;
  /** The service's refusal, or why it can't be told. */
  fault?: ServiceFault;
  /** Why it was refused, with strategy, intent and cause; why it is unknown, or what it waits for. */
  reason?: string;
  /** What it waits for, in one of a few words: what waits are counted by. */
  waitsFor?: string;
  guard?: string;
  attempt: number;
}
