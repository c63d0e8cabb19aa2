import type { Escape, Message } from './formatNotices.ts';

/** The end of an attempt to deliver a message. Reasons hold no part of an address and nothing of an answer's body. */
export type Delivery =
  | { kind: 'delivered' }
  /** Worth another attempt, after this time if the receiver named one. */
  | { kind: 'retry'; reason: string; retryAfterMs?: number }
  /** The receiver will never take this message. */
  | { kind: 'refused'; reason: string };

/** Delivers messages to one channel; never rejects. */
export interface Sender {
  /** Characters that fit into a message, after escaping. */
  readonly most: number;
  readonly escape: Escape;
  send(message: Message): Promise<Delivery>;
  close(): void;
}

/** Milliseconds for one attempt. */
export const ATTEMPT_MS = 10_000;
