import type { Budget } from '../../budget/index.ts';
import type { Scope } from '../../contract/index.ts';
import type { JournalStore } from '../../journal/index.ts';
import type { KeyWatch } from './createKeyWatch.ts';

/** A key that replaces another in a running bot. */
export interface KeyRotation {
  keyId: string;
  /** Id of the key before; the same if only the secret is another. */
  previous: string;
  /** Start of the secret's SHA-256: shows which secret it is, and never the secret. */
  fingerprint: string;
  /** Who asked for it, and why. */
  reason: string;
  /** Requests of the old key without an answer when it was replaced; they are unknown until they have one. */
  unanswered: number;
  /** The budget that the service grants the new key; undefined if only the secret is another. */
  budget?: { limit: number; remaining: number };
}

/** Latch of the key that signs: what another key sent may not be sent again with this one. */
const KEY_LATCH = 'api key';

export interface RotateKeyParts {
  store: JournalStore;
  budget: Budget;
  refusedScopes: Set<Scope>;
  keyWatch: KeyWatch;
  /** Wall time, epoch milliseconds. */
  time: number;
}

/**
 * Forgets what the service has said about the old key: refusals, missing scopes, spent weight. At once; resolves when
 * the journal has the new key's name.
 */
export async function rotateKey(rotation: KeyRotation, parts: RotateKeyParts): Promise<void> {
  const { keyId, previous, fingerprint, budget } = rotation;
  parts.refusedScopes.clear();
  parts.keyWatch.replaced();
  if (budget !== undefined) parts.budget.startOver?.(budget.limit, budget.remaining);
  const reason = `secret ${fingerprint}, in place of ${previous}: ${rotation.reason}`;
  const latch = { value: keyId, reason, time: parts.time };
  await parts.store.setLatch(KEY_LATCH, latch);
}

/** The key of the process before, if the journal has it. */
export const keyBefore = (store: Pick<JournalStore, 'latch'>): string | undefined =>
  store.latch(KEY_LATCH)?.value;

/** Journals with which key a process starts, if it is another than before. */
export async function latchKey(store: JournalStore, key: string, time: number): Promise<void> {
  const before = keyBefore(store);
  if (before === key) return;
  const reason = before === undefined ? 'at the start' : `in place of ${before}: at the start`;
  await store.setLatch(KEY_LATCH, { value: key, reason, time });
}
