import { Subscription } from 'rxjs';
import type { ExecutionRecord, MonitorRecord, WatchRow } from '../../contract/index.ts';
import { pauseUnless, type Env } from '../../env/index.ts';
import { backoffMs } from '../../outcomes/index.ts';
import type { RecordReading, Streams } from '../../streams/index.ts';
import type { Reading, readStops, Unread, Unreadable, WorkKind } from '../wallet/index.ts';

export interface ReadUnshownOptions {
  streams: Pick<Streams, 'wallet'>;
  env: Pick<Env, 'clock' | 'timers' | 'random' | 'log'>;
  /** Reads the open records of some kinds from the service, until a monotonic time. */
  read(
    wallet: string,
    until: number,
    kinds?: readonly WorkKind[],
    onUnreadable?: (one: Unreadable) => void,
  ): Promise<Reading>;
  /** The same of the legs on open positions. */
  readStops(
    wallet: string,
    until: number,
    onUnreadable: (one: Unreadable) => void,
  ): ReturnType<typeof readStops>;
}

const READ_WITHIN_MS = 30_000;
/** So many attempts take some minutes. */
const WARN_EVERY = 20;

/** Without all positions no list of stops is whole, and what is armed would be taken for lost. */
const NO_POSITIONS = {
  ok: false,
  reason: 'the positions are not shown',
  isRefused: false,
} as const;

type Found<R> = { ok: true; records: readonly R[] } | ({ ok: false } & Unread);

/**
 * The contract promises a snapshot of `account.state` alone. A service may acknowledge executions, monitors or stops and
 * send none, or not answer at all, or one of which a record can't be read, so that nothing of it can be trusted to be
 * whole: then they are read, and what is read counts as shown. Entries would stay closed for ever otherwise.
 */
export function readUnshown(wallet: string, options: ReadUnshownOptions): Subscription {
  const { streams, env } = options;
  const source = streams.wallet(wallet);
  const subscription = new Subscription();

  /** Reads until an answer counts, one reading at a time; a snapshot that comes meanwhile ends it. */
  function reader<R>(
    name: string,
    begin: () => RecordReading<R>,
    find: (until: number, onUnreadable: (one: Unreadable) => void) => Promise<Found<R>>,
    { idOf, isUnlisted }: { idOf(known: R): string; isUnlisted?(known: R): boolean },
  ): { start(): void; stop(): void } {
    let isReading = false;
    let isWanted = false;
    async function readAll(): Promise<void> {
      for (let attempt = 1; isWanted && !subscription.closed; attempt++) {
        const reading = begin();
        const unread: Unreadable[] = [];
        const until = env.clock.monotonicNow() + READ_WITHIN_MS;
        const found = await find(until, (one) => void unread.push(one));
        if (subscription.closed) return;
        if (found.ok) {
          if (unread.length > 0) {
            const fields = { wallet, count: unread.length, field: unread[0]!.field };
            env.log.error(
              `Some ${name} can’t be read; unless they were known they are not counted`,
              fields,
            );
          }
          const ids = new Set(unread.map(({ id }) => id));
          // What can't be read is there: nothing that it may be is gone.
          const isLacking = (known: R): boolean =>
            ids.has(undefined) || ids.has(idOf(known)) || isUnlisted?.(known) === true;
          const isWhole = unread.length === 0 && isUnlisted === undefined;
          if (reading.takes(found.records, isWhole ? undefined : isLacking)) return;
        } else if (found.isRefused) {
          const { reason } = found;
          const text = `The ${name} can’t be read; entries no longer wait for them`;
          env.log.warn(text, { wallet, reason });
          if (reading.refused()) return;
        } else {
          reading.failed();
          const { reason } = found;
          if (attempt % WARN_EVERY === 1)
            env.log.warn(`The ${name} are not shown and can’t be read yet`, { wallet, reason });
        }
        // Frames were lost meanwhile, or it failed: it is read again, unless a snapshot comes.
        const isOver = (): boolean => subscription.closed || !isWanted;
        await pauseUnless(env.timers, backoffMs(attempt, env.random), isOver);
      }
    }
    return {
      start() {
        isWanted = true;
        if (isReading) return;
        isReading = true;
        void readAll().finally(() => (isReading = false));
      },
      stop: () => void (isWanted = false),
    };
  }

  const ofWork =
    <R>(kind: 'execution' | 'monitor') =>
    async (until: number, onUnreadable: (one: Unreadable) => void): Promise<Found<R>> => {
      const reading = await options.read(wallet, until, [kind], onUnreadable);
      if (reading.ok) return { ok: true, records: reading.work[`${kind}s`] as R[] };
      return { ok: false, ...reading.failed.get(kind)! };
    };
  const executions = reader(
    'executions',
    source.beginExecutionsReading,
    ofWork<ExecutionRecord>('execution'),
    { idOf: ({ execution_id: id }) => id },
  );
  const monitors = reader(
    'monitors',
    source.beginMonitorsReading,
    ofWork<MonitorRecord>('monitor'),
    { idOf: ({ monitor_id: id }) => id },
  );
  /** Stops are read by the positions that they are on. */
  let hasPositions = false;
  const stops = reader<WatchRow>(
    'stops',
    source.beginWatchReading,
    async (until, onUnreadable) => {
      if (!hasPositions) return NO_POSITIONS;
      const found = await options.readStops(wallet, until, onUnreadable);
      return found.ok ? { ok: true, records: found.rows } : found;
    },
    {
      idOf: ({ leg_id: id }) => id ?? '',
      // Those of entries are in no list.
      isUnlisted: ({ watch_kind: kind }) => kind !== 'leg',
    },
  );
  subscription.add(source.account$.subscribe(({ complete }) => (hasPositions = complete)));
  subscription.add(source.executionsMissing$.subscribe(executions.start));
  subscription.add(source.executionsModel$.subscribe(executions.stop));
  subscription.add(source.monitorsMissing$.subscribe(monitors.start));
  subscription.add(source.monitorsModel$.subscribe(monitors.stop));
  subscription.add(source.watchMissing$.subscribe(stops.start));
  subscription.add(source.watchModel$.subscribe(stops.stop));
  return subscription;
}
