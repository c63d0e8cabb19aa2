import type { Observable } from 'rxjs';
import type { Subscription } from '../env/Link.ts';
import { isMonitorOver } from '../contract/isMonitorOver.ts';
import type { ExecutionRecord, MonitorRecord, WatchRow } from '../contract/records.ts';
import { createAccountStreams, type AccountStreams } from './createAccountStreams.ts';
import {
  createRecordStreams,
  type RecordReading,
  type RecordShape,
} from './createRecordStreams.ts';
import type { ChannelFeed, FeedHandler } from './ChannelFeed.ts';

/**
 * STR-3: `snapshot` for rows that existed at the subscription, `gone` for one that the snapshot after an outage lacks,
 * else the channel's event.
 */
export interface WatchEvent {
  event: string;
  row: WatchRow;
}

/** EXE-8: `ended` carries the reason that REST shows. */
export interface ExecutionEvent {
  event: string;
  execution: ExecutionRecord;
}

export interface MonitorEvent {
  event: string;
  monitor: MonitorRecord;
}

/** Everything that the service streams of one wallet; each channel is subscribed while it is used. */
export interface WalletStreams extends AccountStreams {
  /** Whether a subscription is one of these streams. */
  isOf(subscription: Subscription): boolean;
  watch$: Observable<WatchEvent>;
  watchModel$: Observable<ReadonlyMap<string, WatchRow>>;
  /** The service shows no rows, executions or monitors; the latest at once. */
  watchRefused$: Observable<unknown>;
  executionsRefused$: Observable<unknown>;
  monitorsRefused$: Observable<unknown>;
  /** A snapshot of them is owed again and again: they have to be read. */
  watchMissing$: Observable<void>;
  executionsMissing$: Observable<void>;
  monitorsMissing$: Observable<void>;
  beginWatchReading(): RecordReading<WatchRow>;
  beginExecutionsReading(): RecordReading<ExecutionRecord>;
  beginMonitorsReading(): RecordReading<MonitorRecord>;
  executions$: Observable<ExecutionEvent>;
  executionsModel$: Observable<ReadonlyMap<string, ExecutionRecord>>;
  /** All executions were shown; the model has them. */
  executionsShown$: Observable<void>;
  monitors$: Observable<MonitorEvent>;
  monitorsModel$: Observable<ReadonlyMap<string, MonitorRecord>>;
  monitorsShown$: Observable<void>;
}

const WATCH_ENDS: ReadonlySet<string> = new Set([
  'leg_triggered',
  'leg_retired',
  'leg_rejected',
  'entry_retired',
  'entry_tracking_stopped',
]);
const WATCH_END_STATUSES: ReadonlySet<string> = new Set([
  'triggered',
  'retired',
  'rejected',
  'stopped',
]);

const WATCHES: RecordShape<WatchRow> = {
  list: 'rows',
  idOf: (row) => row.watch_id ?? row.leg_id ?? '',
  states: new Set(['leg_armed', 'trail_moved', 'entry_moved', 'entry_hold']),
  hasEnded: (row, event) => WATCH_ENDS.has(event) || WATCH_END_STATUSES.has(row.status ?? ''),
};

const EXECUTIONS: RecordShape<ExecutionRecord> = {
  list: 'executions',
  idOf: (execution) => execution.execution_id,
  nameOf: (execution) => execution.client_execution_id,
  states: new Set(['started', 'progress', 'status']),
  hasEnded: ({ status }) => status === 'completed' || status === 'stopped',
  timeOf: ({ updated_time: time }) => time,
};

const MONITORS: RecordShape<MonitorRecord> = {
  list: 'monitors',
  idOf: (monitor) => monitor.monitor_id,
  states: new Set(['armed', 'paused', 'resumed']),
  // One that was made of a leg and has failed says that the leg's row is no protection.
  hasEnded: (monitor) =>
    isMonitorOver(monitor) && (monitor.status !== 'failed' || !isCompiled(monitor)),
  timeOf: ({ last_fired_time: fired, created_time: created }) => fired ?? created,
};

/** A leg of a position is carried out by it (POS-3). */
const isCompiled = ({ request }: MonitorRecord): boolean =>
  (request as { exit_style?: unknown } | null | undefined)?.exit_style === 'algo_unwind';

type CreateFeed = (subscription: Subscription, handler: FeedHandler) => ChannelFeed;

/** @param selector params that name the wallet; empty for the session's default */
export function createWalletStreams(
  selector: Readonly<Record<string, unknown>>,
  createFeed: CreateFeed,
): WalletStreams {
  const feedOf = (channel: string) => (handler: FeedHandler) =>
    createFeed({ channel, params: { ...selector } }, handler);
  const watches = createRecordStreams(feedOf('tpsl.watch'), WATCHES, (event, row): WatchEvent => ({
    event,
    row,
  }));
  const executions = createRecordStreams(
    feedOf('executions'),
    EXECUTIONS,
    (event, execution): ExecutionEvent => ({ event, execution }),
  );
  const monitors = createRecordStreams(
    feedOf('monitors'),
    MONITORS,
    (event, monitor): MonitorEvent => ({ event, monitor }),
  );
  return {
    // The session's default wallet is not named; a subscription that names none can't be another's.
    isOf: ({ params }) => params['wallet'] === selector['wallet'],
    ...createAccountStreams(feedOf('account.state')),
    watch$: watches.events$,
    watchModel$: watches.model$,
    watchRefused$: watches.refused$,
    watchMissing$: watches.missing$,
    beginWatchReading: watches.beginReading,
    executions$: executions.events$,
    executionsModel$: executions.model$,
    executionsShown$: executions.snapshots$,
    executionsRefused$: executions.refused$,
    executionsMissing$: executions.missing$,
    beginExecutionsReading: executions.beginReading,
    monitors$: monitors.events$,
    monitorsModel$: monitors.model$,
    monitorsShown$: monitors.snapshots$,
    monitorsRefused$: monitors.refused$,
    monitorsMissing$: monitors.missing$,
    beginMonitorsReading: monitors.beginReading,
  };
}
