import type { Clock, MarketClock } from '../../env/index.ts';
import { effectOf } from '../../intents/effectOf.ts';
import type { Intent } from '../../intents/index.ts';
import { needsOf } from '../../intents/needsOf.ts';
import { targetMadeBy } from '../../intents/targetMadeBy.ts';
import { toServiceRequest } from '../../intents/toServiceRequest.ts';
import { isFinal, type JournalEntry, type JournalStore } from '../../journal/index.ts';
import { endsById } from '../../outcomes/index.ts';
import type { Emission, Outcome } from '../../strategy/index.ts';
import {
  clientNameAsked,
  type Exposure,
  liveIdsOf,
  type Meant,
  type OpenRecords,
  recordIdsOf,
  type RefLog,
  type Refs,
} from '../wallet/index.ts';
import { type Pipe, OVERTAKEN, RESEND_MS, roomOf, type PersistedIntent } from '../pipe/index.ts';
import { askerOf, OPERATOR } from '../operator.ts';
import { readPersisted } from './readPersisted.ts';
import { remainingOf, resolverFor, type Rows } from './remainingOf.ts';

export interface RecoveryOptions {
  store: JournalStore;
  clock: Clock;
  market: MarketClock;
  pipe: Pick<Pipe, 'resume' | 'drop'>;
  exposure: Exposure;
  refs: Refs;
  /** By instance. */
  refLogs: ReadonlyMap<string, RefLog>;
  /** What is open on a wallet, as far as the streams have shown it. */
  bookOf(wallet: string): OpenRecords;
  /** Instances that run now. */
  instances: readonly string[];
  /** Wallets that the bot trades now. */
  wallets: readonly string[];
  /**
   * Keys of what an earlier process left open; default: of all that is open. What this process has sent already
   * is open, too, and is followed by its pipe.
   */
  inherited?: ReadonlySet<string>;
}

/** What was found in the journal. */
export interface RecoveryReport {
  /** May have been executed; being reconciled. */
  sent: number;
  /** Never sent, and still worth sending. */
  resumed: number;
  /** Never sent, and too late. */
  dropped: number;
  /**
   * How far the journal's last decision is after the present, if it is: a replay that was started over reaches
   * the causes of decisions that are in the journal already, and none of them is made again.
   */
  aheadMs?: number;
}

/**
 * How long an intent that was never sent stays valid, in market time, be it an entry or what sets the price,
 * the leverage or the course of one: it was decided on a market that is gone. An exit is valid for longer.
 */
const ENTRY_FRESH_MS = 60_000;
/** Tolerance between two clocks. */
const SURELY_AHEAD_MS = 60_000;

/**
 * Recovers what the previous process left open: what may have been executed is reconciled while its full
 * exposure counts; what was never sent is sent now or ended, by its age.
 */
export function recoverIntents(options: RecoveryOptions): RecoveryReport {
  const { store, pipe, exposure, market, inherited } = options;
  // Read once: a journal may hold a hundred thousand.
  const rows = store.intents();
  const open = readPersisted(store, options, inherited);
  const meant = rebuildRefs(rows, options, new Set(open.flatMap(({ maker }) => maker ?? [])));
  const report: RecoveryReport = { sent: 0, resumed: 0, dropped: 0 };
  const all = open.map((persisted) => withMeant(persisted, meant));
  const waiting = all.filter((persisted) => persisted.stage === 'unsent' && persisted.waitsForRow);
  const stays = (persisted: PersistedIntent): boolean =>
    explainTooLate(persisted, options) === undefined;
  const pendingIntents = new Set(waiting.filter(stays).map(({ key }) => key));
  const sources = { ...options, accepted: new Map<string, readonly string[]>() };
  for (const found of all) {
    const { key, emission } = found;
    const remaining = remainingOf(rows, found, sources);
    const isOvertaken = remaining === undefined;
    const persisted = remaining ?? found;
    const reason =
      explainTooLate(persisted, options) ??
      explainObsolete(emission, pendingIntents) ??
      (isOvertaken ? OVERTAKEN : undefined);
    if (persisted.stage === 'sent') {
      const { entries, reductions } = effectOf(emission.intent);
      const { maintainedRows: rows, executions } = needsOf(emission.intent);
      exposure.add(key, emission.wallet, {
        entries: persisted.added ?? entries,
        resized: persisted.resized,
        reductions: persisted.reduced ?? reductions,
        rows,
        executions,
      });
      // Sent once more, it could open on a wallet that nobody follows: the operator looks it up.
      const stranded = explainStranded(emission, options);
      const held = stranded === undefined ? persisted : { ...persisted, stranded };
      pipe.resume({ ...held, isOvertaken });
      report.sent++;
    } else if (reason === undefined) {
      pipe.resume(persisted);
      report.resumed++;
    } else {
      pipe.drop(persisted, reason);
      report.dropped++;
    }
  }
  const aheadMs = lastDecisionOf(rows, store) - market.now();
  return aheadMs > SURELY_AHEAD_MS ? { ...report, aheadMs } : report;
}

/** Market time of the newest decision; −∞ if there is none. */
function lastDecisionOf(rows: Rows, store: JournalStore): number {
  const last = rows.at(-1);
  if (last === undefined) return Number.NEGATIVE_INFINITY;
  return store.entries(last.key)[0]?.marketTime ?? Number.NEGATIVE_INFINITY;
}

/** An entry must not be cancelled for one that will not be sent. */
function explainObsolete(
  { instance, cause }: Emission,
  pendingIntents: ReadonlySet<string>,
): string | undefined {
  const room = instance === OPERATOR ? roomOf(cause) : undefined;
  if (room === undefined || pendingIntents.has(room.pendingIntent)) return undefined;
  return 'the intent that it made room for has ended';
}

/** What an operator decided in an earlier process: what is in force in this one asks again. */
const DECIDED: Readonly<Record<string, string>> = {
  kill: 'a kill level',
  stop: 'a stop',
  flatten: 'a flattening',
};

function explainTooLate(persisted: PersistedIntent, options: RecoveryOptions): string | undefined {
  const { intent, marketTime, instance } = persisted.emission;
  const now = options.market.now();
  if (instance !== OPERATOR && !options.instances.includes(instance))
    return `strategy ${instance} no longer runs`;
  const stranded = explainStranded(persisted.emission, options);
  if (stranded !== undefined) return stranded;
  const decided = DECIDED[askerOf(persisted.emission)?.what ?? ''];
  if (decided !== undefined)
    return `${decided} of an earlier process asked for it; what is in force asks again`;
  if (intent.not_after !== undefined) {
    return now > intent.not_after ? 'not_after has passed' : undefined;
  }
  const { isExit, reduceOnly, opaque } = effectOf(intent);
  // Of a change, the lane shows whether it is one of an exit.
  const changesExit = opaque && persisted.lane === 'exit';
  if (isExit || reduceOnly || changesExit) return explainLateExit(persisted, options);
  if (now - marketTime <= ENTRY_FRESH_MS) return undefined;
  return 'it was decided before the restart, and is not an exit';
}

/** Neither its market nor its account is followed. */
const explainStranded = (
  { wallet }: Emission,
  { wallets }: Pick<RecoveryOptions, 'wallets'>,
): string | undefined =>
  wallets.includes(wallet) ? undefined : `wallet ${wallet} is no longer traded`;

/**
 * A close, a stop or what they change acts on whatever its symbol has by then. Until its process ended it was still
 * wanted; then it is valid for as long as one that was sent. What ends one thing by its id always is.
 */
function explainLateExit(
  persisted: PersistedIntent,
  { market, refs }: RecoveryOptions,
): string | undefined {
  if (persisted.stage === 'sent' || market.now() - persisted.leftAt <= RESEND_MS) return undefined;
  const { intent } = persisted.emission;
  const resolve = resolverFor(persisted, refs);
  const made = toServiceRequest(intent, { idempotencyKey: '', resolve });
  if (made.ok && endsById(made.request.endpoint)) return undefined;
  return 'no process tried it for more than ten minutes, and another position may be there by now';
}

/**
 * Number of an instance's newest refs of a kind of intent of which it learns what became, whatever that is. Of older ones
 * it learns what is open or unanswered: it would place that once more.
 */
const MOST_KNOWN = 1_000;

/** What became of an earlier process's intent, for a strategy that asks for it by its ref. */
function knowAgain(refLog: RefLog, decisionKey: string, intent: Intent, last: JournalEntry): void {
  const { state, marketTime: time, data } = last;
  if (state === 'emitted') return;
  const details = JSON.parse(data === '' ? '{}' : data) as Partial<Outcome>;
  const { record, fault, guard, reason } = details;
  if (state === 'accepted') refLog.became(decisionKey, intent, record);
  const outcome: Outcome = {
    state,
    intent,
    decisionKey,
    time,
    ...(record === undefined ? {} : { record }),
    ...(fault === undefined ? {} : { fault }),
    ...(guard === undefined ? {} : { guard }),
    ...(reason === undefined ? {} : { reason }),
  };
  refLog.outcome(outcome, true);
}

/**
 * A strategy may name what an earlier process placed.
 *
 * @param makers keys of what open intents are about
 * @returns what the ref of each maker meant once that was decided, whatever it names by now
 */
function rebuildRefs(
  rows: Rows,
  options: RecoveryOptions,
  makers: ReadonlySet<string>,
): ReadonlyMap<string, Meant> {
  const { store, refs, refLogs } = options;
  // Most intents have no ref, so the costly parsing is skipped.
  const named = rows
    .filter(({ intent }) => intent.includes('"ref"'))
    .map((row) => ({ row, ...(JSON.parse(row.intent) as { intent: Intent }) }));
  const recent = newestOf(named);
  const live = new Map(options.wallets.map((one) => [one, liveIdsOf(options.bookOf(one))]));
  const meantBy = new Map<string, Meant>();
  for (const one of named) {
    const { row, intent } = one;
    const { key, instance, decisionKey } = row;
    refs.named(instance, intent, key);
    const kind = targetMadeBy(intent);
    if (makers.has(key) && kind !== undefined && intent.ref !== undefined)
      meantBy.set(key, refs.meant(instance, kind, intent.ref)!);
    const isLive = (name: string | undefined): boolean =>
      name !== undefined && live.get(row.wallet)?.has(name) === true;
    // An order is named by its client id; only what the service names must be parsed.
    const isNamedByAnswer = row.state === 'accepted' && row.kind !== 'place_order';
    let isKnown = recent.has(one) || !isFinal(row.state) || isLive(clientNameAsked(intent, key));
    // Reading every intent's steps would take as long as all the rest of a start.
    const last = isKnown || isNamedByAnswer ? store.entries(key).at(-1) : undefined;
    if (isNamedByAnswer) {
      const { record } = JSON.parse(last?.data ?? '{}') as { record?: unknown };
      refs.became(instance, intent, key, record);
      isKnown ||= recordIdsOf(record).some(isLive);
    } else if (row.state === 'accepted') refs.became(instance, intent, key, undefined);
    else if (isFinal(row.state)) refs.ended(instance, intent, key);
    const refLog = isKnown ? refLogs.get(instance) : undefined;
    refLog?.named(decisionKey, intent, key);
    if (last !== undefined && refLog !== undefined) knowAgain(refLog, decisionKey, intent, last);
  }
  return meantBy;
}

/** What it is about is what it was about; a store that holds no row of that any more knows no name of it. */
function withMeant(persisted: PersistedIntent, meant: ReadonlyMap<string, Meant>): PersistedIntent {
  const { maker } = persisted;
  if (maker === undefined) return persisted;
  const forgotten: Meant = { key: maker, asked: undefined, name: () => undefined };
  return { ...persisted, meant: meant.get(maker) ?? forgotten };
}

interface Named {
  row: Rows[number];
  intent: Intent;
}

/** The newest of each instance and kind that have a ref of their own. */
function newestOf(named: readonly Named[]): ReadonlySet<Named> {
  const counts = new Map<string, number>();
  const newest = named.toReversed().filter(({ row: { instance, kind }, intent }) => {
    if (intent.ref === undefined) return false;
    const group = `${instance} ${kind}`;
    const count = (counts.get(group) ?? 0) + 1;
    counts.set(group, count);
    return count <= MOST_KNOWN;
  });
  return new Set(newest);
}
