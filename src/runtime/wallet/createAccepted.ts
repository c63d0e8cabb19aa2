import type { ExecutionRecord, MonitorRecord, OrderRecord } from '../../contract/index.ts';
import type { Clock } from '../../env/index.ts';
import type { JournalStore } from '../../journal/index.ts';
import { RecentValues } from '../../streams/index.ts';
import type { Emission } from '../../strategy/Emission.ts';
import { LIST_LAG_MS } from './catchUpFills.ts';
import { clientNameOf, recordIdsOf } from './recordIdsOf.ts';
import { isOver, madeOf, type Made, type MadeRecord } from './madeOf.ts';

/** What the service accepted of this bot and no stream has shown yet, according to its answers. */
export interface Unseen {
  orders: readonly OrderRecord[];
  executions: readonly ExecutionRecord[];
  monitors: readonly MonitorRecord[];
}

/**
 * Orders, executions and monitors that the service accepted from this bot, by the ids that it assigned: if a
 * stream loses one, it still belongs to the bot, and a record need not carry a key of the bot's.
 */
export interface Accepted {
  /** Whether the record of this id was made by an intent of this bot, in this process or an earlier one. */
  holds(recordId: string): boolean;
  /** Whether an intent of this process, which closed a position, made the order or the execution of this id. */
  closedBy(recordId: string): boolean;
  /** The instance whose intent made it, by its id. */
  instanceOf(recordId: string): string | undefined;
  /** The service accepted an intent and answered with this record. */
  became(emission: Pick<Emission, 'intent' | 'wallet' | 'instance'>, record: unknown): void;
  /** A stream has shown it, by its id and its client name: from now on the stream is authoritative. */
  seen(recordId: string, clientName?: string): void;
  /** The service itself reports that it has ended. */
  ended(recordId: string): void;
  /** Whether the service accepted it, or a change of it, so recently that a late look-up may not find it yet. */
  isRecent(recordId: string): boolean;
  /** Whether it was accepted, and neither a stream has shown it nor the service that it ended. */
  isUnseen(recordId: string): boolean;
  unseen(wallet: string): Unseen;
  /** The order of this id, or of `client:<client_order_id>`, as accepted and changed since, if it is unseen. */
  unseenOrder(wallet: string, id: string): OrderRecord | undefined;
  /** The execution of this id as it was accepted, if it is unseen. */
  unseenExecution(wallet: string, id: string): ExecutionRecord | undefined;
  /** The newest accepted records of each kind from earlier processes, which may still be open. */
  earlier(wallet: string): readonly Made[];
  /** How often the service accepted something: any earlier finding may be out of date. */
  readonly count: number;
}

/** A frame may overtake the answer that names its record. */
const MOST_SEEN = 512;
/** Beyond this many the oldest is left to the service's own lists. */
const MOST_UNSEEN = 1_000;
/** Of each kind: what is older than these is left to the service's own lists. */
const MOST_EARLIER = 10;
/** Most are orders, which carry a client id of the bot's anyway; a monitor is known however old it is. */
const MOST_READ = 20_000;
/** Of each kind of record. An order that rests for longer is known by its client id, which stays in the journal. */
const MOST_IDS = 65_536;

/** Kinds of intents that make a record, but for a monitor. */
const MAKES: readonly string[] = ['place_order', 'launch', 'launch_basket', 'close_position'];

interface Dated extends Made {
  /** Monotonic. */
  acceptedAt: number;
}

const hasName = ({ id, record }: Made, name: string): boolean =>
  id === name || clientNameOf(record) === name;

/** What earlier processes had accepted is read on first use; most bots never need it. */
export function createAccepted(store: JournalStore, clock: Clock): Accepted {
  /**
   * By the service's ids: the instance whose intent made it. What a stream shows is renewed; a monitor may stand unshown
   * while thousands of orders pass.
   */
  const ids = {
    order: new RecentValues<string>(MOST_IDS),
    execution: new RecentValues<string>(MOST_IDS),
    monitor: new RecentValues<string>(MOST_IDS),
  };
  const idOf = (id: string): string | undefined =>
    ids.order.get(id) ?? ids.execution.get(id) ?? ids.monitor.get(id);
  const hasId = (id: string): boolean => idOf(id) !== undefined;
  /** Closes have no client id. */
  const closes = new RecentValues<true>(MOST_SEEN);
  const unseen = new Map<string, Dated>();
  const seenEarly = new Set<string>();
  /** When what a stream has shown by now was accepted, the oldest first; monotonic. */
  const seenSince = new Map<string, number>();
  const over = new Set<string>();
  let earlier: Dated[] | undefined;
  let count = 0;

  function readJournal(): Dated[] {
    const rows = [...store.standingIntents()];
    let read = 0;
    for (const row of store.newestIntents()) {
      if (++read > MOST_READ) break;
      if (row.state === 'accepted' && MAKES.includes(row.kind)) rows.push(row);
    }
    return rows.flatMap(({ key, wallet, instance, intent: text }) => {
      const last = store.entries(key).at(-1);
      if (last === undefined || last.data === '' || text === '') return [];
      const { record } = JSON.parse(last.data) as { record?: unknown };
      const { intent } = JSON.parse(text) as Pick<Emission, 'intent'>;
      const age = Math.max(0, clock.wallNow() - last.wallTime);
      const acceptedAt = clock.monotonicNow() - age;
      const made = madeOf({ intent, wallet, instance }, record);
      return made.map((one) => Object.assign(one, { acceptedAt }));
    });
  }

  const read = (): Dated[] => {
    if (earlier !== undefined) return earlier;
    // What this process had accepted is among them, and is known better here.
    earlier = readJournal().filter(({ id }) => !hasId(id));
    for (const { kind, id, instance } of earlier) ids[kind].set(id, instance);
    return earlier;
  };

  const instanceOf = (recordId: string): string | undefined => {
    if (!hasId(recordId)) read();
    return idOf(recordId);
  };
  const wasSeen = ({ id, record }: Made): boolean =>
    seenEarly.delete(id) || seenEarly.delete(clientNameOf(record) ?? id);

  /** A stream may show it before the service's own look-ups find it. */
  function saw(id: string, acceptedAt: number): void {
    const since = clock.monotonicNow() - LIST_LAG_MS;
    for (const [oldest, at] of seenSince) {
      if (at > since) break;
      seenSince.delete(oldest);
    }
    seenSince.delete(id);
    seenSince.set(id, acceptedAt);
  }

  const take = (made: Made): void => {
    const { id } = made;
    const known = unseen.get(id);
    if (made.isNew || !hasId(id)) ids[made.kind].set(id, made.instance);
    if (isOver(made)) return void unseen.delete(id);
    const acceptedAt = clock.monotonicNow();
    if (known === undefined && (!made.isNew || wasSeen(made))) return saw(id, acceptedAt);
    const { kind, wallet, instance, isNew } = made;
    const record = { ...known?.record, ...made.record } as MadeRecord;
    const { status } = record;
    unseen.set(id, { kind, id, wallet, instance, isNew, record, status, acceptedAt });
    if (unseen.size > MOST_UNSEEN) unseen.delete(unseen.keys().next().value!);
  };

  /** The service may give an execution another id; its client name stays. */
  function see(name: string): void {
    for (const made of unseen.values()) {
      if (!hasName(made, name)) continue;
      unseen.delete(made.id);
      saw(made.id, made.acceptedAt);
    }
  }

  function remember(name: string): void {
    if (hasId(name) || seenEarly.has(name)) return;
    seenEarly.add(name);
    if (seenEarly.size > MOST_SEEN) seenEarly.delete(seenEarly.keys().next().value!);
  }

  const ofKind = <R extends MadeRecord>(kind: Made['kind'], wallet: string): R[] =>
    [...unseen.values()].flatMap((made) =>
      made.kind === kind && made.wallet === wallet ? [made.record as R] : [],
    );

  function find(kind: Made['kind'], wallet: string, name: string): MadeRecord | undefined {
    if (unseen.size === 0) return undefined;
    for (const made of unseen.values()) {
      if (made.kind === kind && made.wallet === wallet && hasName(made, name)) return made.record;
    }
    return undefined;
  }

  return {
    holds: (recordId) => instanceOf(recordId) !== undefined,
    closedBy: (recordId) => closes.has(recordId),
    instanceOf,
    get count() {
      return count;
    },
    became(emission, record) {
      count++;
      for (const made of madeOf(emission, record)) take(made);
      if (emission.intent.kind !== 'close_position') return;
      for (const id of recordIdsOf(record)) closes.set(id, true);
    },
    seen(recordId, clientName) {
      if (unseen.size > 0) {
        see(recordId);
        if (clientName !== undefined) see(clientName);
      }
      // A model shows all that it holds again with each change: what is known already is not the newest.
      if (ids.order.renew(recordId)) return;
      if (ids.execution.renew(recordId) || ids.monitor.renew(recordId)) return;
      remember(recordId);
      if (clientName !== undefined) remember(clientName);
    },
    ended(recordId) {
      unseen.delete(recordId);
      over.add(recordId);
    },
    isRecent(recordId) {
      const made = unseen.get(recordId) ?? earlier?.find(({ id }) => id === recordId);
      const acceptedAt = made?.acceptedAt ?? seenSince.get(recordId);
      return acceptedAt !== undefined && clock.monotonicNow() - acceptedAt < LIST_LAG_MS;
    },
    isUnseen: (recordId) => unseen.has(recordId),
    unseen: (wallet) => ({
      orders: ofKind('order', wallet),
      executions: ofKind('execution', wallet),
      monitors: ofKind('monitor', wallet),
    }),
    unseenOrder: (wallet, id) => find('order', wallet, id) as OrderRecord | undefined,
    unseenExecution: (wallet, id) => find('execution', wallet, id) as ExecutionRecord | undefined,
    earlier(wallet) {
      const left = { order: MOST_EARLIER, execution: MOST_EARLIER, monitor: MOST_EARLIER };
      const newest = read().filter((made) => made.wallet === wallet && left[made.kind]-- > 0);
      return newest.filter((made) => !over.has(made.id) && !isOver(made));
    },
  };
}
