import { Observable, Subject } from 'rxjs';
import type {
  ExecutionRecord,
  FillRecord,
  MonitorRecord,
  OrderRecord,
  WatchRow,
} from '../../contract/index.ts';
import type { Intent } from '../../intents/index.ts';
import { isFinal } from '../../journal/index.ts';
import type { Outcome } from '../../strategy/index.ts';
import type { RefEvent, RefNews } from '../../strategy/refs/RefEvent.ts';
import {
  applyRefNews,
  createRefParts,
  newsOf,
  toRefState,
  type RefParts,
} from '../../strategy/refs/RefState.ts';
import { CLIENT } from './createOpenWork.ts';
import { actionOf } from './openMonitors.ts';
import { clientNameAsked, clientNameOf } from './recordIdsOf.ts';

/** Which `ref` a record belongs to, and what is known of each: of one instance's intents that carry a ref. */
export interface RefLog {
  /** An intent was given its idempotency key: its client id is known before any answer. */
  named(decisionKey: string, intent: Intent, key: string): void;
  /** The service accepted an intent and made this record of it. */
  became(decisionKey: string, intent: Intent, record: unknown): void;
  /** A step of an intent, so that a later subscriber knows the last one; of an earlier process, if so marked. */
  outcome(outcome: Outcome, isEarlier?: true): void;
  order(order: OrderRecord): void;
  execution(execution: ExecutionRecord): void;
  monitor(monitor: MonitorRecord): void;
  fill(fill: FillRecord): void;
  /** A snapshot lacks what was open before it. */
  gone(id: string): void;
  /**
   * All that is open of a kind, for intents of earlier processes: what of theirs is not among it has ended
   * while no bot was running.
   */
  open(kind: 'order' | 'execution' | 'monitor', records: Iterable<AnyRecord>): void;
  /** The ref of a record by its ids; undefined if no intent with a ref made it, or its answer is pending. */
  refOf(record: AnyRecord): string | undefined;
  /** What is known by now, then each change; later outcomes are not among it, since a host receives them anyway. */
  events$: Observable<RefEvent>;
}

type AnyRecord = OrderRecord | ExecutionRecord | MonitorRecord | FillRecord | WatchRow;

/** One intent with a ref. */
interface Entry {
  parts: RefParts;
  decisionKey: string;
  ids: Set<string>;
  /** An earlier process proposed it. */
  isEarlier?: true;
}

/** Number of an instance's newest intents with a ref that are retained after they ended. */
const MOST_ENTRIES = 1_000;
/** Cleaning up this rarely makes the cost of one intent constant. */
const PRUNE_STEP = MOST_ENTRIES / 8;
/** Records whose intent's answer has not arrived, or that have none with a ref. */
const MOST_EARLY = 256;

const isText = (value: unknown): value is string => typeof value === 'string';

/** The ids by which a record is recognised: its own before its parent's. */
function idsOf(record: AnyRecord): string[] {
  const { order_id, execution_id, monitor_id, leg_id, watch_id } = record as Readonly<
    Record<string, unknown>
  >;
  const client = clientNameOf(record);
  return [client, leg_id, watch_id, order_id, monitor_id, execution_id].filter(isText);
}

/** Intents whose answer names something that is theirs from then on. */
const MAKES: readonly Intent['kind'][] = [
  'place_order',
  'launch',
  'launch_basket',
  'create_monitor',
  'close_position',
  'attach_tpsl',
];

/** Ids in an answer: of the record, of its legs, and of the legs of a basket. */
function idsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const record = value as Readonly<Record<string, unknown>>;
  const legs = record['legs'];
  const inside = Array.isArray(legs) ? (legs as unknown[]) : Object.values(legs ?? {});
  const parts = [record['take_profit'], record['stop_loss'], record['entry_track'], ...inside];
  return [...idsOf(record as AnyRecord), ...parts.flatMap(idsIn)];
}

export function createRefLog(): RefLog {
  /** By id; a bot without refs has none, and then nothing here costs anything. */
  const byId = new Map<string, Entry>();
  const entries = new Map<string, Entry>();
  const early = new Set<{ ids: readonly string[]; news: RefNews }>();
  const events = new Subject<RefEvent>();
  let pruneAt = MOST_ENTRIES + PRUNE_STEP;

  function entryOf(decisionKey: string, ref: string): Entry {
    const known = entries.get(decisionKey);
    if (known !== undefined) return known;
    const entry: Entry = { parts: createRefParts(ref), decisionKey, ids: new Set() };
    entries.set(decisionKey, entry);
    if (entries.size >= pruneAt) prune();
    return entry;
  }

  /** What may still trade or fire is retained, whatever its age. */
  function prune(): void {
    let old = entries.size - MOST_ENTRIES;
    for (const [decisionKey, entry] of entries) {
      if (old-- <= 0) break;
      if (isUnanswered(entry.parts) || isOpen(entry.parts)) continue;
      entries.delete(decisionKey);
      for (const id of entry.ids) if (byId.get(id) === entry) byId.delete(id);
    }
    pruneAt = entries.size + PRUNE_STEP;
  }

  function apply(entry: Entry, news: RefNews): void {
    if (!applyRefNews(entry.parts, news) || !events.observed) return;
    events.next({ ref: entry.parts.ref, decisionKey: entry.decisionKey, ...news });
  }

  /** These ids name the entry's record: what came under one of them before is the entry's. */
  function learn(entry: Entry, ids: readonly string[]): void {
    const fresh = ids.filter((id) => !byId.has(id));
    for (const id of fresh) {
      byId.set(id, entry);
      entry.ids.add(id);
    }
    if (fresh.length === 0 || early.size === 0) return;
    for (const item of early) {
      if (!early.has(item) || !item.ids.some((id) => byId.get(id) === entry)) continue;
      early.delete(item);
      take(item.ids, item.news);
    }
  }

  const find = (ids: readonly string[]): Entry | undefined => {
    for (const id of ids) {
      const entry = byId.get(id);
      if (entry !== undefined) return entry;
    }
    return undefined;
  };

  function take(ids: readonly string[], news: RefNews): void {
    if (entries.size === 0) return;
    const entry = find(ids);
    if (entry === undefined) {
      early.add({ ids, news });
      if (early.size > MOST_EARLY) early.delete(early.values().next().value!);
      return;
    }
    learn(entry, ids);
    // An execution's child order is not the order of its intent; its fills count.
    if (news.kind === 'order' && news.order.execution_id != null) return;
    apply(entry, news);
  }

  /** The record of an answer as news, if it is whole: an operator who settles an intent names ids alone. */
  function answered(record: Readonly<Record<string, unknown>>): RefNews[] {
    if (!isText(record['status'])) {
      const { legs } = record;
      return Array.isArray(legs) ? legs.flatMap((leg) => answered(leg as typeof record)) : [];
    }
    if (isText(record['monitor_id']))
      return [{ kind: 'monitor', monitor: record as MonitorRecord, answered: true }];
    if (typeof record['filled_size'] !== 'number') return [];
    if (isText(record['order_id']))
      return [{ kind: 'order', order: record as OrderRecord, answered: true }];
    if (!isText(record['execution_id'])) return [];
    return [{ kind: 'execution', execution: record as ExecutionRecord, answered: true }];
  }

  return {
    named(decisionKey, intent, key) {
      if (intent.ref === undefined) return;
      const entry = entryOf(decisionKey, intent.ref);
      const name = clientNameAsked(intent, key);
      if (name !== undefined) learn(entry, [name]);
      if (intent.kind !== 'create_monitor') return;
      const { client_order_id: order, client_execution_id: execution } = actionOf({
        action: intent.request.action,
      } as unknown as MonitorRecord);
      learn(
        entry,
        [order, execution].filter(isText).map((id) => `${CLIENT}${id}`),
      );
    },
    became(decisionKey, intent, record) {
      if (typeof record !== 'object' || record === null) return;
      const fields = record as Readonly<Record<string, unknown>>;
      if (intent.ref !== undefined) {
        const entry = entryOf(decisionKey, intent.ref);
        // A change or a cancel with a ref of its own does not make the order its own.
        if (MAKES.includes(intent.kind)) learn(entry, idsIn(record));
      }
      if (entries.size === 0) return;
      for (const news of answered(fields)) {
        const ids = idsOf(recordOf(news));
        // What has no ref will not get one.
        if (find(ids) !== undefined) take(ids, news);
      }
    },
    outcome(outcome, isEarlier) {
      const { ref } = outcome.intent;
      if (ref === undefined) return;
      const entry = entryOf(outcome.decisionKey, ref);
      if (isEarlier === true) entry.isEarlier = true;
      applyRefNews(entry.parts, { kind: 'outcome', outcome });
    },
    order(order) {
      if (entries.size > 0) take(idsOf(order), { kind: 'order', order });
    },
    execution(execution) {
      if (entries.size > 0) take(idsOf(execution), { kind: 'execution', execution });
    },
    monitor(monitor) {
      if (entries.size > 0) take(idsOf(monitor), { kind: 'monitor', monitor });
    },
    fill(fill) {
      if (entries.size > 0) take(idsOf(fill), { kind: 'fill', fill });
    },
    gone: (id) => take([id], { kind: 'gone', id }),
    refOf: (record) => (entries.size === 0 ? undefined : find(idsOf(record))?.parts.ref),
    open(kind, records) {
      const shown = new Set<string>();
      for (const record of records) {
        const ids = idsOf(record);
        for (const id of ids) shown.add(id);
        if (find(ids) !== undefined) take(ids, { kind, [kind]: record } as unknown as RefNews);
      }
      const field = `${kind}_id` as const;
      for (const entry of entries.values()) {
        const { outcome, order, executions, monitor } = entry.parts;
        if (entry.isEarlier !== true || outcome?.state !== 'accepted') continue;
        if (KIND_OF[outcome.intent.kind] !== kind) continue;
        if ([...entry.ids].some((id) => shown.has(id))) continue;
        const known = [order, monitor, ...executions.values()].filter((one) => one !== null);
        const ids = known.map((one) => (one as Readonly<Record<string, unknown>>)[field]);
        const named = ids.filter(isText);
        for (const id of named.length > 0 ? named : [entry.decisionKey])
          apply(entry, { kind: 'gone', id });
      }
    },
    events$: new Observable((subscriber) => {
      for (const { parts, decisionKey } of entries.values())
        for (const news of newsOf(parts)) subscriber.next({ ref: parts.ref, decisionKey, ...news });
      return events.subscribe(subscriber);
    }),
  };
}

/** Whether it may make something yet. */
function isUnanswered({ outcome }: RefParts): boolean {
  const state = outcome?.state;
  return state !== undefined && state !== 'duplicate' && !isFinal(state);
}

/** Whether it has made something that may still trade or fire. */
function isOpen(parts: RefParts): boolean {
  const hasMade = parts.order !== null || parts.monitor !== null || parts.executions.size > 0;
  return hasMade && !toRefState(parts).ended;
}

/** What each kind of intent makes. */
const KIND_OF: Partial<Record<Intent['kind'], 'order' | 'execution' | 'monitor'>> = {
  place_order: 'order',
  launch: 'execution',
  launch_basket: 'execution',
  create_monitor: 'monitor',
};

function recordOf(news: RefNews): AnyRecord {
  if (news.kind === 'order') return news.order;
  if (news.kind === 'execution') return news.execution;
  return (news as { monitor: MonitorRecord }).monitor;
}
