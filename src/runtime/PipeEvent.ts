import type { ServiceFault } from '../contract/index.ts';
import type { IntentState } from '../journal/index.ts';
import type { Emission } from '../strategy/Emission.ts';

/** A step in an intent's life, as the pipe reports it to strategies, the ledger and the log. */
export interface PipeEvent {
  /** `duplicate`: the decision is in the journal already and was not executed again. */
  state: IntentState | 'duplicate';
  emission: Emission;
  /** Idempotency key. */
  key: string;
  /** The service's record, once accepted. */
  record?: unknown;
  /** The service's refusal, or why the outcome is unknown. */
  fault?: ServiceFault;
  /** Why it was refused, with strategy, intent and cause; why it is unknown, or what it waits for. */
  reason?: string;
  /** What it waits for, as one of a few fixed terms by which waits are counted. */
  waitsFor?: string;
  guard?: string;
  attempt: number;
}
