import type { Intent } from '../../src/intents/index.ts';
import type { IntentState } from '../../src/journal/index.ts';

/** One attempt to send, as seen by the network. */
export interface Attempt {
  key: string | null;
  /** Whether any byte was sent. */
  left: boolean;
  outcome: 'pending' | 'silent' | 'not_sent' | number;
  sentAt: number;
}

/** The checker's view of an intent, from the journal's writes alone. */
export interface KnownIntent {
  key: string;
  decisionKey: string;
  intent: Intent;
  /** Its trigger, from the journal. */
  trigger: unknown;
  /** The last state that the bot appended, durable or not. */
  state: IntentState | undefined;
  /** The last durable state. */
  durable: IntentState | undefined;
  sendings: number;
  body: string;
  target: string;
  attempts: Attempt[];
  firstSentAt: number | undefined;
  lastStepAt: number;
  /** A kill level was in force when its last step became durable. */
  wasKilled: boolean;
  /** The kill level or the stop that asked for it was over by then. */
  wasLifted: boolean;
}

/** The state machine of an intent, written independently. */
export const LEGAL: Readonly<Record<string, readonly IntentState[]>> = {
  '': ['emitted'],
  emitted: ['denied', 'guarded'],
  guarded: ['deferred', 'sending', 'expired'],
  deferred: ['deferred', 'sending', 'expired'],
  sending: ['sending', 'deferred', 'accepted', 'rejected', 'unknown', 'expired'],
  unknown: ['unknown', 'sending', 'accepted', 'rejected', 'absent', 'unresolved'],
  unresolved: ['unknown', 'accepted', 'rejected', 'absent'],
};
export const NOT_MADE: ReadonlySet<IntentState> = new Set([
  'denied',
  'rejected',
  'absent',
  'expired',
]);
/** May still have an unseen effect. */
export const WAITING: ReadonlySet<IntentState> = new Set([
  'guarded',
  'deferred',
  'sending',
  'unknown',
  'unresolved',
]);
/** Kinds that create a record on the service. */
export const MAKES: ReadonlySet<Intent['kind']> = new Set(['place_order', 'launch']);
