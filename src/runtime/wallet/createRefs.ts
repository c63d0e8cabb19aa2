import type { Intent, RefResolver, TargetKind } from '../../intents/index.ts';
import { targetMadeBy } from '../../intents/targetMadeBy.ts';
import { CLIENT } from './createOpenWork.ts';
import type { WalletBook } from './WalletBook.ts';

/**
 * Resolves an instance's refs: an order by its client id, known before any answer; an execution by the id under
 * which the streams show its client id now, else by the one of the answer; a monitor by the id that the service
 * assigned. Of several intents with one ref it is what the newest made, or may have made.
 */
export interface Refs {
  /** An intent was given its key. */
  named(instance: string, intent: Intent, key: string): void;
  /** The service accepted an intent and made this record of it. */
  became(instance: string, intent: Intent, key: string, record: unknown): void;
  /** Nothing came of an intent: its ref names again what it named before. */
  ended(instance: string, intent: Intent, key: string): void;
  resolverOf(instance: string): RefResolver;
  /** What an instance's ref means now, and goes on meaning when the ref is used again; undefined if nothing. */
  meant(instance: string, kind: TargetKind, ref: string): Meant | undefined;
  /** What an instance requested under a ref, known before any answer; undefined for any other name. */
  askedOf(instance: string): (kind: Asked['kind'], ref: string | undefined) => Asked | undefined;
}

/**
 * What an intent that names a ref is about: the newest of those decided before it, or, once nothing has come of that
 * one, the one before.
 */
export interface Meant {
  /** Of the intent that made it, or may make it. */
  readonly key: string;
  readonly asked: Asked | undefined;
  /** Its present name in a path; undefined as long as it has none. */
  name(): string | undefined;
}

/** What an instance requested under a ref. */
export interface Asked {
  kind: 'order' | 'execution';
  symbol: string;
  side: string;
  reduce_only: boolean;
}

/** What an intent with a ref makes. */
interface Made {
  /** Of the intent. */
  key: string;
  /** The service has answered it, or it never will. */
  isOver: boolean;
  /** Nothing came of it. */
  isNothing?: true;
  asked?: Asked | undefined;
  /** Of an order or an execution: it stays if the service gives it another id. */
  clientId?: string | undefined;
  /** The service's own id, once it is known. */
  id?: string | undefined;
}

/** Of one ref, by what it names; oldest first, the last one is meant. */
type Meaning = Record<TargetKind, Made[]>;

interface OfInstance {
  meanings: Map<string, Meaning>;
  /** By key: they have no answer, and an intent is about them, whatever becomes of the ref. */
  awaited: Map<string, Made>;
  pruneAt: number;
  asked: ReturnType<Refs['askedOf']>;
  resolve: RefResolver;
}

/** Number of an instance's newest names that are retained after their records ended. */
const MOST_REFS = 1_000;
/** Cleaning up this rarely makes the cost of one name constant. */
const PRUNE_STEP = MOST_REFS / 8;

const textOf = (record: unknown, field: string): string | undefined => {
  const value = (record as Record<string, unknown> | null | undefined)?.[field];
  return typeof value === 'string' ? value : undefined;
};

/** What a wallet's streams show as open. */
export interface LiveIds {
  /** By every id that a ref may resolve to. */
  has(id: string): boolean;
  areMonitorsShown: boolean;
}

/** The part of a wallet's book that has the ids of what is open. */
export type OpenRecords = Pick<WalletBook, 'openOrders' | 'liveExecutions' | 'standingMonitors'>;

export function liveIdsOf(book: OpenRecords): LiveIds {
  const orders = book.openOrders().flatMap(({ order_id: id, client_order_id: clientId }) => {
    return clientId == null ? [id] : [id, `${CLIENT}${clientId}`];
  });
  const executions = book
    .liveExecutions()
    .flatMap(({ execution_id: id, client_execution_id: clientId }) => {
      return clientId == null ? [id] : [id, `${CLIENT}${clientId}`];
    });
  const monitors = book.standingMonitors();
  const ids = new Set([...orders, ...executions, ...(monitors ?? [])]);
  return { has: (id) => ids.has(id), areMonitorsShown: monitors !== undefined };
}

function isLive({ order, execution, monitor }: Meaning, live: LiveIds): boolean {
  // Nobody knows which monitors run, if the service does not show them.
  if (monitor.some(({ id }) => id !== undefined) && !live.areMonitorsShown) return true;
  return [...order, ...execution, ...monitor].some(({ clientId, id }) => {
    if (id !== undefined && live.has(id)) return true;
    return clientId !== undefined && live.has(`${CLIENT}${clientId}`);
  });
}

/** A class, since each object literal with a getter is slow to make. */
class MeantOnce implements Meant {
  /** A ref that is used again adds to what it names, and drops what is not meant any more: this has its own. */
  readonly #all: readonly Made[];
  readonly #nameOf: (made: Made) => string | undefined;

  constructor(all: readonly Made[], nameOf: (made: Made) => string | undefined) {
    this.#all = all;
    this.#nameOf = nameOf;
  }

  get key(): string {
    return this.#present.key;
  }

  get asked(): Asked | undefined {
    return this.#present.asked;
  }

  name(): string | undefined {
    return this.#nameOf(this.#present);
  }

  get #present(): Made {
    return this.#all.findLast(({ isNothing }) => isNothing !== true) ?? this.#all.at(-1)!;
  }
}

export interface RefsOptions {
  /**
   * Ids of everything that is open for an instance; undefined as long as that is not known, in which case
   * nothing is forgotten.
   */
  liveOf?(instance: string): LiveIds | undefined;
  /** The id under which the streams show an instance's execution of a client id now. */
  executionOf?(instance: string, clientId: string): string | undefined;
}

/** A bot that runs for months creates ever more names: those of ended records are dropped, oldest first. */
export function createRefs(options: RefsOptions = {}): Refs {
  const { liveOf = () => undefined, executionOf = () => undefined } = options;
  const byInstance = new Map<string, OfInstance>();

  function instanceOf(instance: string): OfInstance {
    const known = byInstance.get(instance);
    if (known !== undefined) return known;
    const meanings = new Map<string, Meaning>();
    const fresh: OfInstance = {
      meanings,
      awaited: new Map(),
      pruneAt: MOST_REFS + PRUNE_STEP,
      asked: (kind, ref) => (ref === undefined ? undefined : meant(instance, kind, ref)?.asked),
      resolve(kind, ref) {
        const made = meant(instance, kind, ref);
        return made && nameOf(instance, kind, made);
      },
    };
    byInstance.set(instance, fresh);
    return fresh;
  }

  const meant = (instance: string, kind: TargetKind, ref: string): Made | undefined =>
    byInstance.get(instance)?.meanings.get(ref)?.[kind].at(-1);

  function nameOf(instance: string, kind: TargetKind, { clientId, id }: Made): string | undefined {
    if (clientId === undefined) return id;
    if (kind === 'order') return `${CLIENT}${clientId}`;
    return executionOf(instance, clientId) ?? id;
  }

  function meantOf(instance: string, kind: TargetKind, ref: string): Meant | undefined {
    const own = byInstance.get(instance);
    const all = own?.meanings.get(ref)?.[kind] ?? [];
    if (own === undefined || all.length === 0) return undefined;
    for (const made of all) if (!made.isOver) own.awaited.set(made.key, made);
    return new MeantOnce([...all], (made) => nameOf(instance, kind, made));
  }

  /** A name that is used again counts as new. */
  function slot(instance: string, ref: string): Meaning {
    const { meanings } = instanceOf(instance);
    const meaning = meanings.get(ref) ?? { order: [], execution: [], monitor: [] };
    meanings.delete(ref);
    meanings.set(ref, meaning);
    return meaning;
  }

  /** What an intent makes, if its ref can name it, among what others with the ref made. */
  function madeBy(instance: string, intent: Intent, key: string): [Made[], Made] | undefined {
    const kind = targetMadeBy(intent);
    if (intent.ref === undefined || kind === undefined) return undefined;
    const all = slot(instance, intent.ref)[kind];
    const known = all.find((one) => one.key === key);
    if (known !== undefined) return [all, known];
    const awaited = byInstance.get(instance)?.awaited.get(key);
    const made = awaited ?? { key, isOver: false, ...askedBy(intent, key) };
    all.push(made);
    return [all, made];
  }

  /** What was answered before another that was is not meant any more; what has no answer may come after it. */
  function over(instance: string, all: Made[], made: Made): void {
    made.isOver = true;
    byInstance.get(instance)?.awaited.delete(made.key);
    const newest = all.findLastIndex(({ isOver }) => isOver);
    const stays = all.filter(({ isOver }, at) => at === newest || !isOver);
    all.splice(0, all.length, ...stays);
  }

  function prune(instance: string): void {
    const own = instanceOf(instance);
    if (own.meanings.size < own.pruneAt) return;
    const live = liveOf(instance);
    if (live === undefined) return;
    let old = own.meanings.size - MOST_REFS;
    for (const [ref, meaning] of own.meanings) {
      if (old-- <= 0) break;
      if (!isLive(meaning, live)) own.meanings.delete(ref);
    }
    own.pruneAt = own.meanings.size + PRUNE_STEP;
  }

  /** The answer to a control request has the service's present id of what it controlled. */
  function renamedBy(instance: string, intent: Intent, record: unknown): void {
    if (intent.kind !== 'control_execution' || intent.execution.ref === undefined) return;
    const all = byInstance.get(instance)?.meanings.get(intent.execution.ref)?.execution ?? [];
    const clientId = textOf(record, 'client_execution_id');
    // The ref may have been given to another since.
    const made = all.findLast((one) => one.isOver && (!clientId || one.clientId === clientId));
    const id = textOf(record, 'execution_id');
    if (made !== undefined && id !== undefined) made.id = id;
  }

  return {
    named(instance, intent, key) {
      if (madeBy(instance, intent, key) !== undefined) prune(instance);
    },
    became(instance, intent, key, record) {
      renamedBy(instance, intent, record);
      const found = madeBy(instance, intent, key);
      if (found === undefined) return;
      const [all, made] = found;
      made.id = textOf(record, `${targetMadeBy(intent)!}_id`) ?? made.id;
      over(instance, all, made);
    },
    ended(instance, intent, key) {
      const kind = targetMadeBy(intent);
      if (intent.ref === undefined || kind === undefined) return;
      const own = byInstance.get(instance);
      const all = own?.meanings.get(intent.ref)?.[kind] ?? [];
      const made = all.find((one) => one.key === key) ?? own?.awaited.get(key);
      if (made === undefined) return;
      made.isNothing = true;
      own?.awaited.delete(key);
      if (!all.includes(made)) return;
      if (all.length > 1) all.splice(all.indexOf(made), 1);
      else over(instance, all, made);
    },
    meant: meantOf,
    askedOf: (instance) => instanceOf(instance).asked,
    resolverOf: (instance) => instanceOf(instance).resolve,
  };
}

/** What is known of it before any answer. */
function askedBy(intent: Intent, key: string): Pick<Made, 'asked' | 'clientId'> {
  if (intent.kind !== 'place_order' && intent.kind !== 'launch') return {};
  const { symbol, side, reduce_only = false } = intent.request;
  if (intent.kind === 'launch') {
    const clientId = intent.request.client_execution_id ?? key;
    return { clientId, asked: { kind: 'execution', symbol, side, reduce_only } };
  }
  const clientId = intent.request.client_order_id ?? key;
  return { clientId, asked: { kind: 'order', symbol, side, reduce_only } };
}
