import type { Clock, MarketClock } from '../../env/index.ts';
import type { Lane } from '../../budget/index.ts';
import type { Entry } from '../../guards/index.ts';
import type { ServiceRequest } from '../../contract/index.ts';
import {
  isUnsent,
  type IntentRow,
  type IntentState,
  type JournalEntry,
  type JournalStore,
} from '../../journal/index.ts';
import type { Emission, Trigger } from '../../strategy/index.ts';
import type { Intent } from '../../intents/index.ts';
import type { Reduction } from '../../intents/IntentEffect.ts';
import type { PersistedIntent } from '../pipe/index.ts';
import { keyAt } from '../control/index.ts';
import type { Resized } from '../wallet/index.ts';
import { OPERATOR } from '../operator.ts';

/** What the guards' approval has journaled. */
interface GuardedData {
  lane: Lane;
  weight: number;
  added: readonly Entry[];
  /** A former version does not say it. */
  reduced: readonly Reduction[];
  resized: Resized;
  target: string;
}

/** What the journal has of a decision besides what was emitted. */
interface EmittedData {
  maker: string;
}

interface Clocks {
  clock: Pick<Clock, 'wallNow'>;
  market: Pick<MarketClock, 'now'>;
}

type Row = IntentRow & { state: IntentState };
type Sent = Pick<
  ServiceRequest,
  'endpoint' | 'pathParams' | 'query' | 'body' | 'idempotencyKey'
> & { keyId: string };

const dataOf = <T>(entry: JournalEntry | undefined): Partial<T> =>
  entry === undefined ? {} : (JSON.parse(entry.data) as Partial<T>);

/**
 * Every intent of the journal that was not final when the previous process ended.
 *
 * @param inherited their keys; default: of all that is open
 */
export function readPersisted(
  store: JournalStore,
  clocks: Clocks,
  inherited?: ReadonlySet<string>,
): PersistedIntent[] {
  const rows = store.openIntents().filter(({ key }) => inherited?.has(key) ?? true);
  return rows.map((row) => {
    const entries = store.entries(row.key);
    const persisted = toPersisted(row, entries, clocks);
    if (persisted.stage === 'unsent') return persisted;
    const signedBy = signerOf(entries, store);
    return signedBy === undefined ? persisted : { ...persisted, signedBy };
  });
}

/** Which key signed the last attempt. A step of a former version does not say it: then by the time of the key's change. */
function signerOf(
  entries: readonly JournalEntry[],
  store: Pick<JournalStore, 'latch'>,
): string | undefined {
  const last = entries.findLast(({ state }) => state === 'sending');
  return dataOf<Sent>(last).keyId ?? keyAt(store, last?.wallTime ?? 0);
}

function toPersisted(row: Row, entries: readonly JournalEntry[], clocks: Clocks): PersistedIntent {
  const sends = entries.filter(({ state }) => state === 'sending');
  const { key, generation, state } = row;
  const { maker } = dataOf<EmittedData>(entries[0]);
  const own = { emission: toEmission(row, entries), key, generation, state };
  const persisted = maker === undefined ? own : { ...own, maker };
  const sent = dataOf<Sent>(sends.at(-1));
  const { lane, weight, added, reduced, resized, target } = dataOf<GuardedData>(
    entries.find((entry) => entry.state === 'guarded'),
  );
  // Deferred after an attempt means that the service refused to process it: nothing was executed.
  if (isUnsent(state)) {
    const isEvaluated = entries.some((entry) => entry.state === 'guarded');
    const waitsForRow = state === 'deferred' && !isEvaluated;
    const from = waitsForRow ? 'emitted' : state;
    const leftAt = entries.at(-1)?.marketTime ?? 0;
    const left = { state: from, attempt: sends.length, waitsForRow, lane, leftAt };
    return { ...persisted, ...left, stage: 'unsent' };
  }
  return {
    ...persisted,
    stage: 'sent',
    attempt: sends.length,
    lane: lane ?? 'entry',
    weight: weight ?? 0,
    ...(added === undefined ? {} : { added }),
    ...(reduced === undefined ? {} : { reduced }),
    ...(resized === undefined ? {} : { resized }),
    ...(target === undefined ? {} : { target }),
    sentForMs: sentForMs(entries, clocks),
    request: {
      endpoint: sent.endpoint ?? 'orders.place',
      pathParams: sent.pathParams ?? {},
      query: sent.query ?? {},
      body: sent.body ?? '',
      wallet: row.wallet,
      idempotencyKey: sent.idempotencyKey ?? key,
    },
  };
}

/**
 * Milliseconds since the first attempt that may have been executed, which comes after the last one that was refused. The
 * larger of two: the wall clock of the host before may have been ahead, and the service's may have been set back.
 */
function sentForMs(entries: readonly JournalEntry[], { clock, market }: Clocks): number {
  const refused = entries.findLastIndex(({ state }) => state === 'deferred');
  const first = entries.find(({ state }, at) => at > refused && state === 'sending');
  if (first === undefined) return 0;
  return Math.max(0, clock.wallNow() - first.wallTime, market.now() - first.marketTime);
}

/** What was emitted, according to the journal. */
export function toEmission(row: IntentRow, entries: readonly JournalEntry[]): Emission {
  const { intent, trigger } = JSON.parse(row.intent) as { intent: Intent; trigger: Trigger };
  const emitted = dataOf<Emission>(entries[0]);
  const { cause = '', ordinal = 0, marketTime = 0, isCatchUp } = emitted;
  const { instance, wallet, decisionKey } = row;
  const decided = { intent, trigger, instance, wallet, decisionKey, cause, ordinal, marketTime };
  // No market event caused an operator's intent.
  if (instance === OPERATOR) return decided;
  const { causeTime = marketTime } = emitted;
  return isCatchUp === true ? { ...decided, causeTime, isCatchUp } : { ...decided, causeTime };
}
