import type { Intent, RefResolver } from '../../intents/index.ts';
import { CLIENT } from './createOpenWork.ts';
import type { WalletBook } from './WalletBook.ts';

/**
 * Resolves an instance's refs: an order by its client id, known before any answer; an execution by the id under
 * which the streams show its client id now, else by the one of the answer; a monitor by the id that the service
 * assigned.
 */
export interface Refs {
  /** An intent was given its key. */
  named(instance: string, intent: Intent, key: string): void;
  /** The service accepted an intent and made this record of it. */
  became(instance: string, intent: Intent, record: unknown): void;
  resolverOf(instance: string): RefResolver;
  /** Key of the newest intent that an instance gave a ref. */
  keyOf(instance: string, ref: string): string | undefined;
  /** What an instance requested under a ref, known before any answer; undefined for any other name. */
  askedOf(instance: string): (kind: Asked['kind'], ref: string | undefined) => Asked | undefined;
}

/** What an instance requested under a ref. */
interface Asked {
  kind: 'order' | 'execution';
  symbol: string;
  side: string;
  reduce_only: boolean;
}

interface Meaning {
  /** Of the newest intent that has the ref. */
  key?: string;
  asked?: Asked;
  order?: string;
  /** The client id of an execution, which stays if the service gives it another id. */
  clientId?: string;
  /** The service's own id of the order, once it is known. */
  orderId?: string;
  execution?: string;
  monitor?: string;
}

interface OfInstance {
  meanings: Map<string, Meaning>;
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

function isLive(meaning: Meaning, live: LiveIds): boolean {
  const { order, orderId, execution, clientId, monitor } = meaning;
  // Nobody knows which monitors run, if the service does not show them.
  if (monitor !== undefined && !live.areMonitorsShown) return true;
  const named = clientId === undefined ? undefined : `${CLIENT}${clientId}`;
  return [order, orderId, execution, named, monitor].some((id) => id !== undefined && live.has(id));
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
      pruneAt: MOST_REFS + PRUNE_STEP,
      asked(kind, ref) {
        if (ref === undefined) return undefined;
        const asked = meanings.get(ref)?.asked;
        return asked?.kind === kind ? asked : undefined;
      },
      resolve(kind, ref) {
        const meaning = meanings.get(ref);
        if (kind !== 'execution' || meaning?.clientId === undefined) return meaning?.[kind];
        return executionOf(instance, meaning.clientId) ?? meaning.execution;
      },
    };
    byInstance.set(instance, fresh);
    return fresh;
  }

  /** A name that is used again counts as new. */
  function slot(instance: string, ref: string): Meaning {
    const { meanings } = instanceOf(instance);
    const meaning = meanings.get(ref) ?? {};
    meanings.delete(ref);
    meanings.set(ref, meaning);
    return meaning;
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
    const meaning = byInstance.get(instance)?.meanings.get(intent.execution.ref);
    const id = textOf(record, 'execution_id');
    if (meaning !== undefined && id !== undefined) meaning.execution = id;
  }

  return {
    named(instance, intent, key) {
      if (intent.ref === undefined) return;
      const meaning = slot(instance, intent.ref);
      meaning.key = key;
      if (intent.kind === 'place_order') {
        meaning.order = `${CLIENT}${intent.request.client_order_id ?? key}`;
      }
      if (intent.kind === 'place_order' || intent.kind === 'launch') {
        const { symbol, side, reduce_only = false } = intent.request;
        const kind = intent.kind === 'launch' ? 'execution' : 'order';
        meaning.asked = { kind, symbol, side, reduce_only };
      }
      if (intent.kind === 'launch') meaning.clientId = intent.request.client_execution_id ?? key;
      prune(instance);
    },
    became(instance, intent, record) {
      renamedBy(instance, intent, record);
      if (intent.ref === undefined) return;
      const meaning = slot(instance, intent.ref);
      const order = textOf(record, 'order_id');
      const execution = textOf(record, 'execution_id');
      const monitor = textOf(record, 'monitor_id');
      if (order !== undefined && intent.kind === 'place_order') {
        meaning.orderId = order;
        meaning.order ??= order;
      }
      if (execution !== undefined) meaning.execution = execution;
      if (monitor !== undefined) meaning.monitor = monitor;
    },
    keyOf: (instance, ref) => byInstance.get(instance)?.meanings.get(ref)?.key,
    askedOf: (instance) => instanceOf(instance).asked,
    resolverOf: (instance) => instanceOf(instance).resolve,
  };
}
