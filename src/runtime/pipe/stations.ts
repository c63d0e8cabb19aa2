/**
 * The stages of an intent, as types. What passed the guards is `Approved`, what the journal holds as `sending`
 * is `Journaled`, and what was handed to the link is `Sent`; each is created at its station alone, from the one
 * before it. So no function that sends can receive what was not approved, and none that concludes what was not
 * sent.
 */
import type { GuardEvaluation } from '../../guards/index.ts';
import type { Journal, Step as JournalStep } from '../../journal/index.ts';
import { record, type SendItem } from './PipeItem.ts';

declare const APPROVED: unique symbol;
declare const JOURNALED: unique symbol;
declare const SENT: unique symbol;

/** An item that may go out. */
export type Approved = SendItem & { readonly [APPROVED]: true };
/** An approved item that the journal holds as being sent. */
export type Journaled = Approved & { readonly [JOURNALED]: true };
/** An item that was handed to the link: it may have been executed. */
export type Sent = Journaled & { readonly [SENT]: true };

/** The verdict of an item that passed. */
export type Passed = Extract<GuardEvaluation, { passed: true }>;

/** It passed the guards. */
export function approve(item: SendItem, _verdict: Passed): Approved {
  return item as Approved;
}

/**
 * Journals that it is being sent.
 *
 * @throws the journal's faults, unless it rejects with them
 */
export function journalSending(
  journal: Journal,
  item: Approved,
  bytes: Pick<JournalStep, 'data'>,
): Journaled | Promise<Journaled> {
  const written = record(journal, item, { state: 'sending', ...bytes });
  return written === undefined ? (item as Journaled) : written.then(() => item as Journaled);
}

/** It is handed to the link at this monotonic time, with this key in use. */
export function markSent(item: Journaled, now: number, signedBy: string): Sent {
  item.lastSentAt = now;
  item.signedBy = signedBy;
  return item as Sent;
}

/** An earlier process approved it and may have sent it: from this monotonic time on it is reconciled. */
export function foundSent(
  item: SendItem,
  persisted: { sentForMs: number; isOvertaken?: boolean; stranded?: string; signedBy: string },
  now: number,
): Sent {
  // Absence is proven by this process's clock alone: the wall clock may have been set meanwhile.
  const since = { unknownSince: now, lastSentAt: now, sentBeforeMs: persisted.sentForMs };
  return Object.assign(item, since, {
    signedBy: persisted.signedBy,
    isSent: true,
    isOvertaken: persisted.isOvertaken === true,
    stranded: persisted.stranded,
  }) as unknown as Sent;
}

/** An earlier process may have sent it, and this one has not queried it yet. */
export function isFound(item: Approved): item is Sent {
  return item.isSent;
}

/** An attempt of it went without an answer, in this process or an earlier one. */
export function isUnknown(item: Approved): item is Sent {
  return item.unknownSince !== undefined;
}

/** No attempt of it can have been executed. */
export const isUnsent = (item: SendItem): boolean =>
  item.unknownSince === undefined && !item.isSent;
