import type { Intent } from '../../intents/index.ts';
import type { PersistedState } from '../openState.ts';

/**
 * What went into one strategy instance and what came out, in order. `subscribed` and `emitted` are open until
 * their `done`: the lines between were delivered during the call.
 */
export type RecordedLine =
  /** A life begins: market time, and the state that it found. */
  | ['start', time: number, state: PersistedState | null]
  | ['subscribed', source: string]
  | ['event', source: string, time: number, event: unknown]
  | ['failed', source: string, time: number, reason: string]
  | ['timer', id: number, time: number, isLate?: true]
  | ['emitted', emission: RecordedEmission]
  | ['done'];

/** Returns a recording's lines one by one; undefined after the last. */
export type TakeLine = () => RecordedLine | undefined;

/** What of an intent depends on the strategy alone, and so must repeat. */
export interface RecordedEmission {
  decisionKey: string;
  marketTime: number;
  intent: Intent;
}
