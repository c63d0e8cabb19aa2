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
  /** What answers teach of the budget. */
  learning: { startOver(): void };
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
  const { budget, unanswered } = rotation;
  parts.refusedScopes.clear();
  parts.keyWatch.accepted();
  if (budget !== undefined) {
    parts.budget.startOver?.(budget.limit, budget.remaining);
    // If all is answered, what has none yet has waited for the change, and the new key signs it. Otherwise what waited
    // teaches nothing either: it can't be told apart any more.
    if (unanswered > 0) parts.learning.startOver();
  }
  await confirmKey(parts.store, rotation, parts.time);
}

/** The last change of the key, also of an earlier process. */
export interface KeyChanged {
  /** Id of the key before; the same if only the secret is another. */
  previous: string;
  /** Wall time, epoch milliseconds. */
  time: number;
}

/** A key's name may have colons: it ends with the first that a space follows. */
const PREVIOUS = /in place of (\S+?): /;

/** When the journal's key was put in the place of another; undefined if it never was, as far as the journal says. */
export function lastKeyChange(
  store: Pick<JournalStore, 'latch'>,
  keyId: string,
): KeyChanged | undefined {
  const latch = store.latch(KEY_LATCH);
  const previous = latch?.value === keyId ? PREVIOUS.exec(latch.reason)?.[1] : undefined;
  return previous === undefined ? undefined : { previous, time: latch!.time };
}

/** Adds who asked for a rotation that has happened already, and why. */
export async function confirmKey(
  store: JournalStore,
  { keyId, previous, fingerprint, reason }: Omit<KeyRotation, 'unanswered' | 'budget'>,
  time: number,
): Promise<void> {
  const text = `secret ${fingerprint}, in place of ${previous}: ${reason}`;
  await store.setLatch(KEY_LATCH, { value: keyId, reason: text, time });
}

/**
 * The key that was in use at a wall time, as far as the journal's last change of the key shows; undefined if the journal
 * has none.
 */
export function keyAt(store: Pick<JournalStore, 'latch'>, time: number): string | undefined {
  const latch = store.latch(KEY_LATCH);
  if (latch === undefined || time >= latch.time) return latch?.value;
  return PREVIOUS.exec(latch.reason)?.[1] ?? latch.value;
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
