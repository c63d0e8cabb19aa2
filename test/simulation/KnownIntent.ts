import type { Intent } from '../../src/intents/index.ts';
import type { IntentState } from '../../src/journal/index.ts';

/** One attempt to send, as the network saw it. */
export interface Attempt {
  key: string | null;
  /** Whether a byte of it left. */
  left: boolean;
  outcome: 'pending' | 'silent' | 'not_sent' | number;
  sentAt: number;
}

/** An intent as the judge knows it, from the journal's writes alone. */
export interface KnownIntent {
  key: string;
  decisionKey: string;
  intent: Intent;
  /** What it was decided upon, as the journal has it. */
  trigger: unknown;
  /** The last state that the bot asked to be written. */
  state: IntentState | undefined;
  /** The last state that a crash leaves. */
  durable: IntentState | undefined;
  sendings: number;
  body: string;
  target: string;
  attempts: Attempt[];
  firstSentAt: number | undefined;
  lastStepAt: number;
  /** A kill level stood when its last step became durable. */
  wasKilled: boolean;
}

/** The life of an intent, written down a second time. */
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
/** May still become something that nobody has seen yet. */
export const WAITING: ReadonlySet<IntentState> = new Set([
  'guarded',
  'deferred',
  'sending',
  'unknown',
  'unresolved',
]);
/** Kinds that make a record of their own on the service. */
export const MAKES: ReadonlySet<Intent['kind']> = new Set(['place_order', 'launch']);
