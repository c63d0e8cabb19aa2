import type { ServiceFault, ServiceRequest } from '../../contract/index.ts';
import type { Env } from '../../env/index.ts';
import { isFinal, type Journal } from '../../journal/index.ts';
import { backoffMs, resolutionOf } from '../../outcomes/index.ts';
import type { Emission } from '../../strategy/Emission.ts';
import type { Conclusions } from './createConclusions.ts';
import type { Rests } from './createRests.ts';
import type { Sent } from './stations.ts';

/**
 * Result of a query by the bot's own id, or by the order that was to be changed; `missing` is not yet absent, `unclear` is
 * no answer, `taken` is another request's record under an id that a strategy gave.
 */
export type LookUp =
  | { kind: 'found'; record: unknown }
  | { kind: 'missing' }
  | { kind: 'taken' }
  | { kind: 'unclear' };

export interface ReconciliationOptions {
  env: Pick<Env, 'clock' | 'random'>;
  journal: Journal;
  conclusions: Conclusions;
  rests: Rests;
  lookUp(emission: Emission, key: string, sent: ServiceRequest): Promise<LookUp>;
  /** How long after it was sent a request may still be executed: signature window and processing. */
  absentAfterMs: number;
  isClosed(): boolean;
  /** Continues work that may take minutes, without holding up what waits to be sent. */
  detach(work: Promise<void>): void;
  /** Continues work that nothing waits for. */
  background(work: Promise<void>): void;
}

/** Resolves sent and unanswered intents (AUTH-6). */
export interface Reconciliation {
  /** Whether a query by one of the bot's ids can decide it, so that it need not be sent again. */
  canQuery(item: Sent): boolean;
  /**
   * Queries until it is found or proven absent.
   *
   * @param refusal what a later attempt was refused with; the conclusion if the first attempt left nothing
   * @param conflict that its client id exists; the conclusion if another request has it
   */
  query(item: Sent, refusal?: ServiceFault, conflict?: ServiceFault): void;
  /** What is not sent again: queries if that, or the record that it was to change, can decide it; the rest is an operator's. */
  queryOrLeave(item: Sent): void | Promise<void>;
}

/** Queries end some time after the last attempt that could still be executed. */
const QUERY_MS = 1_200_000;
const LATE_QUERY_MS = 20_000;
/** Number of queries that must find nothing, the last of them after the window, before it is absent. */
const MISSING_FOR_ABSENT = 2;

export function createReconciliation(options: ReconciliationOptions): Reconciliation {
  const { env, journal, conclusions } = options;
  const { rest } = options.rests;

  const canQuery = ({ request: { endpoint } }: Sent): boolean =>
    endpoint === 'executions.launch' || resolutionOf(endpoint) === 'lookup';

  const isShown = (item: Sent): boolean =>
    canQuery(item) || item.request.endpoint === 'orders.modify';

  /** If an operator settled it meanwhile, that decision is final. */
  function isOver({ key }: Sent): boolean {
    const state = journal.stateOf(key);
    return state !== undefined && isFinal(state);
  }

  /**
   * Found is accepted; absent needs two queries that miss it, the last one after the window. If neither happens
   * for long, an operator is notified, and the queries continue.
   */
  async function query(item: Sent, refusal?: ServiceFault, conflict = refusal): Promise<void> {
    const since = item.unknownSince ?? env.clock.monotonicNow();
    const lastSentAt = item.lastSentAt ?? since;
    let missing = 0;
    /** @returns whether it is concluded */
    const ask = async (): Promise<boolean> => {
      // What a query missed before the window's end may have been executed since.
      const isPastWindow = env.clock.monotonicNow() - lastSentAt >= options.absentAfterMs;
      const result = await options.lookUp(item.emission, item.key, item.request);
      if (isOver(item)) return true;
      if (result.kind === 'found') await conclusions.accept(item, result.record);
      // A client id is unique for ever (conventions §1): no attempt of this can have it.
      if (result.kind === 'taken') {
        await (conflict === undefined
          ? conclusions.absent(item)
          : conclusions.reject(item, conflict));
        return true;
      }
      if (result.kind !== 'missing') return result.kind === 'found';
      missing++;
      if (!isPastWindow || missing < MISSING_FOR_ABSENT) return false;
      await (refusal === undefined ? conclusions.absent(item) : conclusions.reject(item, refusal));
      return true;
    };
    for (let round = 1; !options.isClosed(); round++) {
      if (await ask()) return;
      if (env.clock.monotonicNow() - since >= QUERY_MS) break;
      await rest(backoffMs(round, env.random));
    }
    if (options.isClosed()) return;
    await conclusions.unresolved(item);
    options.background(keepAsking(ask));
  }

  async function keepAsking(ask: () => Promise<boolean>): Promise<void> {
    while (!options.isClosed()) {
      await rest(LATE_QUERY_MS);
      if (options.isClosed() || (await ask())) return;
    }
  }

  const detached: Reconciliation['query'] = (item, refusal, conflict) =>
    options.detach(query(item, refusal, conflict));
  return {
    canQuery,
    query: detached,
    queryOrLeave: (item) => (isShown(item) ? detached(item) : conclusions.unresolved(item)),
  };
}
