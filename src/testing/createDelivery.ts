import { Observable, Subject } from 'rxjs';
import type { ExecutionRecord, FillRecord, MonitorRecord, WatchRow } from '../contract/index.ts';
import type { Outcome, OwnOrderEvent, RefEvent, RefNews } from '../strategy/index.ts';
import { applyRefNews, createRefParts, newsOf, type RefParts } from '../strategy/refs/RefState.ts';
import type { DrivenSources } from './createDrivenSources.ts';
import type { TestedIntent } from './TestedIntent.ts';
import type { OrderWork } from './Work.ts';

/**
 * What the service shows of a strategy's work goes to its sources, each record with the `ref` of its intent, and
 * what concerns a ref comes first, as in the runtime.
 */
export interface Delivery {
  outcome(outcome: Outcome, intent: TestedIntent | undefined): void;
  filled(fill: FillRecord, intent: TestedIntent | undefined): void;
  order(work: OrderWork, event?: OwnOrderEvent['event']): void;
  execution(event: string, execution: ExecutionRecord, intent: TestedIntent | undefined): void;
  monitor(event: string, monitor: MonitorRecord, intent: TestedIntent | undefined): void;
  row(event: string, row: WatchRow, intent: TestedIntent | undefined): void;
  /** The record of an answer, before the answer itself. */
  answered(intent: TestedIntent, news: RefNews): void;
  /** A new process knows the last outcomes, their records, and what is open: no fill, and no later record. */
  restart(open: Iterable<OpenWork>): void;
  refs$: Observable<RefEvent>;
}

/** What is open, and the intent that made it. */
export interface OpenWork {
  intent: TestedIntent;
  news: RefNews;
}

type Sources = Pick<
  DrivenSources,
  'outcomes$' | 'fills$' | 'orders$' | 'executions$' | 'monitors$' | 'watch$'
>;

export function createDelivery(sources: () => Sources): Delivery {
  const known = new Map<string, RefParts>();
  /** By decision key; a later answer about the same order counts. */
  const answers = new Map<string, RefNews>();
  const refs = new Subject<RefEvent>();

  function concern(intent: TestedIntent | undefined, news: RefNews): void {
    if (intent?.ref === undefined) return;
    const { ref, decisionKey } = intent;
    const parts = known.get(decisionKey) ?? createRefParts(ref);
    known.set(decisionKey, parts);
    // Outcomes reach a host by themselves; only a later one needs them from here.
    if (!applyRefNews(parts, news) || news.kind === 'outcome') return;
    refs.next({ ref, decisionKey, ...news });
  }

  return {
    outcome(outcome, intent) {
      concern(intent, { kind: 'outcome', outcome });
      sources().outcomes$.next(outcome);
    },
    filled(fill, intent) {
      concern(intent, { kind: 'fill', fill });
      sources().fills$.next(withRef(fill, intent));
    },
    order({ order, intent }, event = 'changed') {
      const shown = { ...order };
      concern(intent, { kind: 'order', order: shown });
      sources().orders$.next({ event, order: withRef(shown, intent) });
    },
    execution(event, execution, intent) {
      const shown = { ...execution };
      if (event === 'gone') concern(intent, { kind: 'gone', id: shown.execution_id });
      else concern(intent, { kind: 'execution', execution: shown });
      sources().executions$.next({ event, execution: withRef(shown, intent) });
    },
    monitor(event, monitor, intent) {
      const shown = { ...monitor };
      if (event === 'gone') concern(intent, { kind: 'gone', id: shown.monitor_id });
      else concern(intent, { kind: 'monitor', monitor: shown });
      sources().monitors$.next({ event, monitor: withRef(shown, intent) });
    },
    row: (event, row, intent) => sources().watch$.next({ event, row: withRef(row, intent) }),
    answered(intent, news) {
      answers.set(intent.decisionKey, news);
      concern(intent, news);
    },
    restart(open) {
      const shown = new Map([...open].map(({ intent, news }) => [intent.decisionKey, news]));
      for (const [decisionKey, { ref, outcome }] of known) {
        const parts = createRefParts(ref);
        known.set(decisionKey, parts);
        if (outcome !== undefined) applyRefNews(parts, { kind: 'outcome', outcome });
        const answer = answers.get(decisionKey);
        if (answer === undefined) continue;
        applyRefNews(parts, answer);
        const news = shown.get(decisionKey) ?? goneOf(outcome, parts);
        if (news !== undefined) applyRefNews(parts, news);
      }
    },
    refs$: new Observable((subscriber) => {
      for (const [decisionKey, parts] of known) {
        for (const news of newsOf(parts)) subscriber.next({ ref: parts.ref, decisionKey, ...news });
      }
      return refs.subscribe(subscriber);
    }),
  };
}

/** What has ended meanwhile, of the intents whose work a snapshot would show. */
function goneOf(outcome: Outcome | undefined, parts: RefParts): RefNews | undefined {
  if (!SHOWN.includes(outcome?.intent.kind)) return undefined;
  const [execution] = parts.executions.values();
  const id = parts.order?.order_id ?? parts.monitor?.monitor_id ?? execution?.execution_id;
  return id === undefined ? undefined : { kind: 'gone', id };
}

const SHOWN: ReadonlyArray<Outcome['intent']['kind'] | undefined> = [
  'place_order',
  'launch',
  'create_monitor',
];

/** A record with the ref of the intent that it belongs to, if that had one. */
export function withRef<R extends object>(
  record: R,
  intent: TestedIntent | undefined,
): R & { ref?: string } {
  return intent?.ref === undefined ? record : { ...record, ref: intent.ref };
}
