import type { Clock, MarketClock } from '../../env/index.ts';
import { effectOf } from '../../intents/effectOf.ts';
import type { Intent } from '../../intents/index.ts';
import { needsOf } from '../../intents/needsOf.ts';
import type { JournalStore } from '../../journal/index.ts';
import type { Emission } from '../../strategy/index.ts';
import type { Exposure, Refs } from '../wallet/index.ts';
import { type Pipe, OVERTAKEN, roomOf, type PersistedIntent } from '../pipe/index.ts';
import { OPERATOR } from '../operator.ts';
import { readPersisted } from './readPersisted.ts';
import { wasOvertaken, type Rows } from './wasOvertaken.ts';

export interface RecoveryOptions {
  store: JournalStore;
  clock: Clock;
  market: MarketClock;
  pipe: Pick<Pipe, 'resume' | 'drop'>;
  exposure: Exposure;
  refs: Refs;
  /** Instances that run now. */
  instances: readonly string[];
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
 * the leverage or the course of one: it was decided upon a market that is gone. An exit always stays valid, and
 * so does what cancels, stops or pauses.
 */
const ENTRY_FRESH_MS = 60_000;
/** Tolerance between two clocks. */
const SURELY_AHEAD_MS = 60_000;

/**
 * Recovers what the previous process left open: what may have been executed is reconciled while its full
 * exposure counts; what was never sent is sent now or ended, by its age.
 */
export function recoverIntents(options: RecoveryOptions): RecoveryReport {
  const { store, pipe, exposure, market } = options;
  // Read once: a journal may hold a hundred thousand.
  const rows = store.intents();
  rebuildRefs(rows, options);
  const report: RecoveryReport = { sent: 0, resumed: 0, dropped: 0 };
  const all = readPersisted(store, options.clock);
  const waiting = all.filter((kept) => kept.stage === 'unsent' && kept.waitsForRow);
  const stays = (kept: PersistedIntent): boolean =>
    whyTooLate(kept, options.instances, market.now()) === undefined;
  const pendingIntents = new Set(waiting.filter(stays).map(({ key }) => key));
  for (const kept of all) {
    const { key, emission } = kept;
    const isOvertaken = wasOvertaken(rows, kept);
    const reason =
      whyTooLate(kept, options.instances, market.now()) ??
      whyNeedless(emission, pendingIntents) ??
      (isOvertaken ? OVERTAKEN : undefined);
    if (kept.stage === 'sent') {
      const { entries } = effectOf(emission.intent);
      exposure.add(key, emission.wallet, entries, needsOf(emission.intent).maintainedRows);
      pipe.resume({ ...kept, isOvertaken });
      report.sent++;
    } else if (reason === undefined) {
      pipe.resume(kept);
      report.resumed++;
    } else {
      pipe.drop(kept, reason);
      report.dropped++;
    }
  }
  const aheadMs = lastDecisionOf(rows, store) - market.now();
  return aheadMs > SURELY_AHEAD_MS ? { ...report, aheadMs } : report;
}

/** Market time of the newest decision; −∞ where there is none. */
function lastDecisionOf(rows: Rows, store: JournalStore): number {
  const last = rows.at(-1);
  if (last === undefined) return Number.NEGATIVE_INFINITY;
  return store.entries(last.key)[0]?.marketTime ?? Number.NEGATIVE_INFINITY;
}

/** An entry must not be cancelled for one that will not be sent. */
function whyNeedless(
  { instance, cause }: Emission,
  pendingIntents: ReadonlySet<string>,
): string | undefined {
  const room = instance === OPERATOR ? roomOf(cause) : undefined;
  if (room === undefined || pendingIntents.has(room.pendingIntent)) return undefined;
  return 'what it would have made room for is over';
}

function whyTooLate(
  { emission }: PersistedIntent,
  instances: readonly string[],
  now: number,
): string | undefined {
  const { intent, marketTime, instance } = emission;
  if (instance !== OPERATOR && !instances.includes(instance))
    return `no strategy ${instance} runs any more`;
  if (intent.not_after !== undefined) {
    return now > intent.not_after ? 'not_after has passed' : undefined;
  }
  const { isExit, reduceOnly } = effectOf(intent);
  if (isExit || reduceOnly || now - marketTime <= ENTRY_FRESH_MS) return undefined;
  return 'it was decided before the restart, and is not an exit';
}

/** A strategy may name what an earlier process placed. */
function rebuildRefs(rows: Rows, { store, refs }: RecoveryOptions): void {
  for (const row of rows) {
    // Most intents have no ref, so the costly parsing is skipped.
    if (!row.intent.includes('"ref"')) continue;
    const { intent } = JSON.parse(row.intent) as { intent: Intent };
    refs.named(row.instance, intent, row.key);
    // An order is named by its client id; only what the service names must be parsed.
    if (row.state !== 'accepted' || row.kind === 'place_order') continue;
    const last = store.entries(row.key).at(-1);
    const { record } = JSON.parse(last?.data ?? '{}') as { record?: unknown };
    refs.became(row.instance, intent, record);
  }
}
