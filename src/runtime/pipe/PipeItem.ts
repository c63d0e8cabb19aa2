import type { Lane } from '../../budget/index.ts';
import type { ServiceRequest } from '../../contract/index.ts';
import type { Journal, Step } from '../../journal/index.ts';
import type { Emission } from '../../strategy/Emission.ts';
import type { Meant } from '../wallet/index.ts';

/** An intent in the pipe. */
export interface PipeItem {
  emission: Emission;
  /** Idempotency key. */
  key: string;
  /** Grows by one after the absence of the previous attempt was proven. */
  generation: number;
  /** Place in the order of decisions, also of what waits for a row before it is approved: the greater was made later. */
  decided: number;
  /** Steps that are not in the journal yet; they are written with the next append. */
  steps: Step[];
  /** Whether the journal already holds its row. */
  opened: boolean;
  attempt: number;
  /** What it is about, if it names that by a ref: settled at the decision. */
  meant?: Meant | undefined;
}

/** An intent that passed the guards. */
export interface SendItem extends PipeItem {
  request: ServiceRequest;
  /** The request that this one is the rest of: a later one that sets the same field may still be refused. */
  whole?: ServiceRequest;
  lane: Lane;
  weight: number;
  /** The one name of what it changes, if the request has another. */
  target?: string | undefined;
  /** It may add exposure, so that a closed entry gate ends it as long as nothing of it was sent. */
  opens: boolean;
  /** Symbols on which it may; absent if the intent shows them. */
  enters?: readonly string[] | undefined;
  /** Place in the order of approval. */
  order: number;
  /** Place in its lane, the lowest first: that of its order, or of what it took the place of. */
  turn: number;
  /** Whether its present wait has been reported. */
  deferralReported: boolean;
  /** Monotonic time at which an attempt went unanswered; from then on it may exist. */
  unknownSince?: number;
  /** Monotonic time of the last attempt; it may still be in flight. */
  lastSentAt?: number;
  /** How long before that an earlier process sent it, as far as wall and market show. */
  sentBeforeMs?: number;
  /** Name of the key that was in use at the last attempt. */
  signedBy?: string;
  clockLearned: boolean;
  /** An earlier process sent it: it must be reconciled before it is sent. */
  isSent: boolean;
  /** A later intent of an earlier process has set the same. */
  isOvertaken?: boolean;
  /** Why nobody follows what an earlier process's intent acts on. */
  stranded?: string;
}

/**
 * Appends an item's pending steps and this one; what is appended together is durable together. Done when it
 * returns, or when its promise resolves.
 *
 * @throws the journal's faults, unless it rejects with them
 */
export function record(journal: Journal, item: PipeItem, last?: Step): void | Promise<void> {
  const { steps } = item;
  if (last !== undefined) steps.push(last);
  if (steps.length === 0) return;
  item.steps = [];
  if (item.opened) return journal.record(item.key, steps);
  item.opened = true;
  const { emission, key, generation } = item;
  const { intent, trigger, decisionKey, instance, wallet } = emission;
  const text = journal.keepsTexts ? JSON.stringify({ intent, trigger }) : '';
  return journal.open(
    { key, decisionKey, generation, instance, wallet, kind: intent.kind, intent: text },
    steps,
  );
}
