import type { ServiceFault } from '../contract/index.ts';
import type { Intent } from '../intents/index.ts';

/**
 * The state of an intent. `denied` comes from a guard, `deferred` from the budget, `accepted` and `rejected`
 * from the service; `unknown` was sent and has no answer, and is never a refusal.
 */
export type OutcomeState =
  | 'denied'
  | 'guarded'
  | 'deferred'
  | 'sending'
  | 'accepted'
  | 'rejected'
  | 'unknown'
  | 'absent'
  | 'unresolved'
  | 'expired'
  /** The journal already holds this decision, so it was not executed again. */
  | 'duplicate';

/** One step in the life of an intent, as its strategy sees it. */
export interface Outcome {
  state: OutcomeState;
  intent: Intent;
  decisionKey: string;
  /** Market time, epoch milliseconds. */
  time: number;
  /** The order, execution, leg or monitor that the service made of it, once accepted. */
  record?: unknown;
  /** Why the service refused. */
  fault?: ServiceFault;
  /** The guard that denied it. */
  guard?: string;
  /** Why it was denied, or what it waits for. */
  reason?: string;
}
