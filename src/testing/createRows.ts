import type { ExecutionRecord, MonitorRecord, WatchRow } from '../contract/index.ts';
import type { Answers } from './createAnswers.ts';
import { withRef, type Delivery, type OpenWork } from './createDelivery.ts';
import type { DrivenOptions } from './createDrivenSources.ts';
import type { ExecutionEventName, IntentRef, LegEvent, MonitorEventName } from './StrategyTest.ts';
import type { TestedIntent } from './TestedIntent.ts';
import { basketRefusal, testRefusal } from './testRefusal.ts';
import { symbolOf } from './Work.ts';

/** Legs, tracked entries and executions as the service shows them. */
export interface Rows {
  leg(event: LegEvent, row: Partial<WatchRow> & { ref?: IntentRef }): void;
  execution(ref: IntentRef, event: ExecutionEventName, change: Partial<ExecutionRecord>): void;
  monitor(ref: IntentRef, event: MonitorEventName, change: Partial<MonitorRecord>): void;
  /** Those that have not ended, as a later start finds them. */
  existing: DrivenOptions['existing'];
  /** Of those, what intents of the test made. */
  open(): OpenWork[];
}

export interface RowsOptions {
  answers: Answers;
  delivery: Delivery;
  symbol: string;
  wallet: string;
  now(): number;
  nextId(prefix: string): string;
  requireSymbol(call: string, symbol: string): unknown;
}

const STATUS_OF: Readonly<Record<LegEvent, string>> = {
  leg_armed: 'armed',
  trail_moved: 'armed',
  leg_triggered: 'triggered',
  leg_retired: 'retired',
  leg_rejected: 'rejected',
  entry_moved: 'active',
  entry_hold: 'active',
  entry_tracking_stopped: 'stopped',
  entry_retired: 'retired',
  snapshot: 'armed',
  // Of a row that was not shown before.
  gone: 'armed',
};
const ENDS: ReadonlySet<string> = new Set(['triggered', 'retired', 'rejected', 'stopped']);

const MONITOR_AFTER: Readonly<
  Record<MonitorEventName, (monitor: MonitorRecord, time: number) => Partial<MonitorRecord>>
> = {
  armed: () => ({ status: 'armed' }),
  fired: ({ rearm, fired_count }, time) => ({
    status: rearm ? 'armed' : 'fired',
    fired_count: fired_count + 1,
    last_fired_time: time,
  }),
  failed: () => ({ status: 'failed' }),
  stopped: () => ({ status: 'stopped' }),
  paused: () => ({ status: 'paused' }),
  resumed: () => ({ status: 'armed' }),
  snapshot: () => ({}),
  gone: () => ({}),
};

/** How an execution ends that completes; any other reason stops it. */
const COMPLETES: readonly unknown[] = ['filled', 'complete_at_market', 'mark_complete'];
const statusOf = (reason: unknown = 'filled'): string =>
  COMPLETES.includes(reason) ? 'completed' : 'stopped';

export function createRows(options: RowsOptions): Rows {
  const { answers, delivery, now, nextId } = options;
  /** By leg or entry, so that each keeps its id over its events. */
  const rows = new Map<string, { row: WatchRow; intent: TestedIntent | undefined }>();
  /** Executions that no intent of the test launched, by id. */
  const foreign = new Map<string, ExecutionRecord>();
  const goneMonitors = new Set<MonitorRecord>();

  function orderIdsOf(intent: TestedIntent | undefined) {
    if (intent === undefined) return { symbol: options.symbol };
    const work = answers.workOf(intent);
    if (work === undefined) {
      const request = 'request' in intent ? (intent.request as { symbol?: string }) : {};
      return { symbol: request.symbol ?? options.symbol };
    }
    const symbol = symbolOf(work);
    if (work.kind === 'order') return { symbol, order_id: work.order.order_id };
    return { symbol, execution_id: work.execution.execution_id };
  }

  return {
    leg(event, { ref, ...given }) {
      if (!Object.hasOwn(STATUS_OF, event)) {
        throw testRefusal(
          `leg: there is no event ${JSON.stringify(event)}.`,
          `Name one of ${Object.keys(STATUS_OF).join(', ')}.`,
        );
      }
      const isEntry = event.startsWith('entry_');
      const intent = ref === undefined ? undefined : answers.find('leg', ref);
      const own = orderIdsOf(intent);
      const symbol = given.symbol ?? own.symbol;
      options.requireSymbol('leg', symbol);
      const kind = isEntry ? null : (given.kind ?? 'stop_loss');
      const owner = own.order_id ?? own.execution_id ?? '';
      const key = given.leg_id ?? given.watch_id ?? `${symbol} ${kind ?? 'entry'} ${owner}`;
      const known: WatchRow = rows.get(key)?.row ?? {
        watch_kind: isEntry ? 'entry' : 'leg',
        ...(isEntry ? { watch_id: nextId('wat') } : { leg_id: nextId('leg'), kind }),
        ...own,
        symbol,
      };
      const status = (event === 'gone' ? known.status : undefined) ?? STATUS_OF[event];
      const row: WatchRow = { ...known, status, ...given };
      const isEnd = event === 'gone' || ENDS.has(row.status ?? '');
      if (isEnd) rows.delete(key);
      else rows.set(key, { row, intent });
      if (isEnd && isEntry) endTracking(intent);
      delivery.row(event, row, intent);
    },
    execution(ref, event, change) {
      const time = now();
      const launched = launchedBy(ref);
      const known = launched ?? foreignOf(ref, change);
      if (event === 'gone') {
        const work = launched && answers.workOf(answers.find('execution', ref));
        if (work?.kind === 'execution') work.isGone = true;
        else foreign.delete(known.execution_id);
      } else Object.assign(known, { updated_time: time }, change);
      if (event === 'ended') {
        const { status = statusOf(change.reason) } = change;
        const { reason = status === 'stopped' ? 'user_stop' : 'filled' } = change;
        Object.assign(known, { status, reason, phase: 'done', ended_time: time });
      }
      delivery.execution(
        event,
        known,
        launched === undefined ? undefined : answers.find('execution', ref),
      );
    },
    monitor(ref, event, change) {
      const intent = answers.find('monitor', ref);
      if (intent.kind === 'create_monitor' && !answers.isAccepted(intent)) {
        answers.report(intent, 'accepted');
      }
      const monitor = answers.monitorOf(intent);
      if (monitor === undefined) {
        throw testRefusal(
          `monitor: ${intent.kind} ${intent.ref ?? ''} is no monitor.`,
          'Name the intent that created one.',
        );
      }
      if (event === 'gone') goneMonitors.add(monitor);
      Object.assign(monitor, MONITOR_AFTER[event](monitor, now()), change);
      delivery.monitor(event, monitor, intent);
    },
    existing: {
      orders: () =>
        answers
          .open()
          .flatMap((work) =>
            work.kind === 'order' ? [withRef({ ...work.order }, work.intent)] : [],
          ),
      rows: () => [...rows.values()].map(({ row, intent }) => withRef(row, intent)),
      executions: () => [
        ...answers
          .open()
          .flatMap((work) =>
            work.kind === 'execution' ? [withRef({ ...work.execution }, work.intent)] : [],
          ),
        ...[...foreign.values()].filter(({ phase }) => phase !== 'done'),
      ],
      monitors: () => monitors().map(([intent, monitor]) => withRef({ ...monitor }, intent)),
    },
    open: () => [
      ...answers.open().map((work): OpenWork => {
        const { intent } = work;
        if (work.kind === 'order')
          return { intent, news: { kind: 'order', order: { ...work.order } } };
        return { intent, news: { kind: 'execution', execution: { ...work.execution } } };
      }),
      ...monitors().map(([intent, monitor]): OpenWork => ({
        intent,
        news: { kind: 'monitor', monitor: { ...monitor } },
      })),
    ],
  };

  function monitors(): ReturnType<Answers['monitors']> {
    return answers
      .monitors()
      .filter(([, one]) => one.status !== 'stopped' && !goneMonitors.has(one));
  }

  /** Its order stays, and may be changed (TRK-4). */
  function endTracking(intent: TestedIntent | undefined): void {
    const work = intent === undefined ? undefined : answers.workOf(intent);
    if (work?.kind === 'order') work.isTracked = false;
  }

  /** The record of an execution that an intent launched; it is accepted first if it has no answer. */
  function launchedBy(ref: IntentRef): ExecutionRecord | undefined {
    const isForeign = typeof ref === 'string' && foreign.has(ref);
    if (isForeign || !answers.knows(ref)) return undefined;
    const intent = answers.find('execution', ref);
    if (!answers.isAccepted(intent)) answers.report(intent, 'accepted');
    const work = answers.workOf(intent);
    if (work?.kind === 'execution') return work.execution;
    if (intent.kind === 'launch_basket') throw basketRefusal('execution');
    throw testRefusal(
      `execution: ${intent.kind} ${intent.ref ?? ''} is no execution.`,
      'Name a launch, or a close by an algorithm.',
    );
  }

  /** An execution of an earlier process, which the test describes. */
  function foreignOf(ref: IntentRef, change: Partial<ExecutionRecord>): ExecutionRecord {
    const known = typeof ref === 'string' ? foreign.get(ref) : undefined;
    if (known !== undefined) return known;
    const { symbol, side, total_size } = change;
    if (typeof ref !== 'string' || symbol === undefined || side === undefined || !total_size) {
      answers.find('execution', ref);
      throw testRefusal('execution: it is not known.', 'Describe it: symbol, side, total_size.');
    }
    options.requireSymbol('execution', symbol);
    const time = now();
    const record: ExecutionRecord = {
      execution_id: ref,
      algo: 'pacemaker',
      symbol,
      side,
      total_size,
      filled_size: 0,
      remaining_size: total_size,
      status: 'running',
      phase: 'working',
      progress: 0,
      fees: 0,
      reduce_only: false,
      wallet: options.wallet,
      created_time: time,
      updated_time: time,
    };
    foreign.set(ref, record);
    return record;
  }
}
