import { pause, reasonOf, within, type Cancel, type Env } from '../../env/index.ts';
import { JournalFault } from '../JournalFault.ts';
import type { ChooseJournal } from '../KnownJournal.ts';
import { claimJournal } from './claimJournal.ts';
import { unreachable, type ConnectPg } from './connectPg.ts';
import { describeDatabase } from '../describeDatabase.ts';
import type { PgClient, PgResult, Statement } from './PgClient.ts';
import { createTables } from './schema.ts';
import { holderOf, LOCK_TIMEOUT_MS, lost, takeLease } from './takeLease.ts';

export interface WriterSessionOptions {
  connect: ConnectPg;
  url: string;
  /** Under this key are the rows, unless `choose` finds them under another one. */
  account: string;
  choose?: ChooseJournal | undefined;
  env: Pick<Env, 'clock' | 'timers' | 'log'>;
  /** `process` returns before the database's disk has it. */
  synchronous: boolean;
  /** How long a write waits for a lost connection, or for a lock, before it fails, and all after it. */
  giveUpAfterMs: number;
  /**
   * Another process has the account, or the database lacks what it had acknowledged: reported once, even when nothing
   * is being written.
   */
  onLost(fault: JournalFault): void;
}

/** Whether the database has a write. */
export type Trace = () => Promise<boolean>;

/** The one writer's connection to an account: it reconnects automatically, or reports why it can't. */
export interface WriterSession {
  /** The key of the journal's rows. */
  readonly account: string;
  readonly token: bigint;
  /**
   * Runs a statement. When the connection broke during it, `isDone` checks on the next one whether it had been
   * committed; if not, it runs again. Of the last one that was acknowledged each new connection is asked the same.
   */
  run(statement: Statement, isDone?: Trace): Promise<PgResult>;
  /** Runs on the connection as it is, for `isDone`. */
  ask(statement: Statement): Promise<PgResult>;
  /** @param withinMs how long a server may take to end the connection; one that has vanished never does */
  close(withinMs?: number): Promise<void>;
}

const HEARTBEAT_MS = 5_000;
/** The server ends the session of a silent peer some 20 s later: until then no other process has the account. */
const STALE_MS = 5_000;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;

export async function createWriterSession(options: WriterSessionOptions): Promise<WriterSession> {
  const { url, env } = options;
  let { account } = options;
  let client: PgClient | undefined;
  let token: bigint | undefined;
  let isClosed = false;
  let broken: JournalFault | undefined;
  let reconnecting: Promise<void> | undefined;
  /** Monotonic time since which a write waits for the connection; a heartbeat goes on trying without an end. */
  let waitingSince: number | undefined;
  /** Find the last write that was acknowledged, and the one in flight, which comes after it. */
  let isAcknowledged: Trace | undefined;
  let isInFlight: Trace | undefined;
  let cancelBeat: Cancel = () => {};

  await connect();
  beat();
  return {
    account,
    get token() {
      return token!;
    },
    run,
    ask: (statement) => client!.query(statement),
    async close(withinMs) {
      isClosed = true;
      cancelBeat();
      const ended = client?.end().catch(() => {});
      if (withinMs === undefined || ended === undefined) return ended;
      await within(env.timers, ended, withinMs);
      // The kernel repeats what a vanished server does not acknowledge for a quarter of an hour.
      client?.unref?.();
    },
  };

  async function connect(): Promise<void> {
    const fresh = await options.connect({ url, name: `trimtab ${account}`.slice(0, 63) });
    try {
      if (token === undefined) await createTables(fresh);
      if (token === undefined && options.choose !== undefined)
        account = await claimJournal(fresh, options.choose);
      // A cached plan is made for the size that the tables had at that time: empty, at first.
      await fresh.query({ text: 'SET plan_cache_mode TO force_custom_plan' });
      if (!options.synchronous) await fresh.query({ text: 'SET synchronous_commit TO off' });
      token = await takeLease(fresh, account, token);
      client = fresh;
      const isWhole = isAcknowledged === undefined || (await isAcknowledged());
      if (!isWhole && (await isInFlight?.()) !== true) throw behind(account);
      // Closed while it reconnected: nothing else would end it, and the account would remain taken.
      if (isClosed) await fresh.end();
    } catch (error) {
      await fresh.end().catch(() => {});
      throw error instanceof JournalFault ? error : unreachable(error, url);
    }
  }

  async function run(statement: Statement, isDone?: Trace): Promise<PgResult> {
    /** Monotonic time since which this statement waits, for a connection or for a lock. */
    let since: number | undefined;
    return repeat(statement, isDone, (error, begun) => {
      const now = env.clock.monotonicNow();
      if (isConnectionLost(error)) {
        since ??= now;
        waitingSince ??= since;
        // Each new connection is taken, and the statement is refused on it again.
        if (now - since >= options.giveUpAfterMs) fail(unreachable(error, url));
        return;
      }
      const { warning, fault } = isShort(error) ? SHORT : LOCKED;
      if (since === undefined) env.log.warn(warning, { reason: reasonOf(error) });
      since ??= begun;
      // The next attempt may take as long as a lock may.
      if (now - since + LOCK_TIMEOUT_MS >= options.giveUpAfterMs) fail(fault(error, url));
    });
  }

  /**
   * @param onWait called each time that it has to wait, with the monotonic time at which the attempt began; without it
   *   the statement waits for a connection only
   */
  async function repeat(
    statement: Statement,
    isDone?: Trace,
    onWait?: (error: unknown, begun: number) => void,
  ): Promise<PgResult> {
    isInFlight = isDone ?? isInFlight;
    for (let attempt = 0; ; attempt++) {
      if (broken !== undefined) throw broken;
      const begun = env.clock.monotonicNow();
      const begunAt = env.clock.wallNow();
      try {
        const isThere = attempt > 0 && (await isDone?.()) === true;
        const result = isThere ? { rows: [], rowCount: null } : await client!.query(statement);
        isAcknowledged = isDone ?? isAcknowledged;
        // The monotonic clock may stand still with the machine, and the wall clock be set back.
        const tookMs = Math.max(env.clock.monotonicNow() - begun, env.clock.wallNow() - begunAt);
        if (isDone !== undefined && tookMs >= STALE_MS) await requireLease();
        return result;
      } catch (error) {
        const isLost = isConnectionLost(error);
        const mayWait = isLost || (onWait !== undefined && isUndone(error));
        if (!mayWait || isClosed || broken !== undefined) throw error;
        onWait?.(error, begun);
        if (isLost) await reconnect(error);
        if (!isLost || attempt > 0) await pause(env.timers, FIRST_PAUSE_MS);
      }
    }
  }

  /** One at a time, whichever caller noticed first. */
  function reconnect(reason: unknown): Promise<void> {
    reconnecting ??= comeBack(reason).finally(() => {
      reconnecting = undefined;
      waitingSince = undefined;
    });
    return reconnecting;
  }

  async function comeBack(reason: unknown): Promise<void> {
    env.log.warn("The journal's database is unreachable", {
      reason: unreachable(reason, url).message,
    });
    await client?.end().catch(() => {});
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        await connect();
        return env.log.info("The journal's database is reachable again");
      } catch (error) {
        const fault = error instanceof JournalFault ? error : unreachable(error, url);
        if (isLast(fault)) return fail(fault);
        const waitedMs = env.clock.monotonicNow() - (waitingSince ?? Infinity);
        const isLate = waitedMs >= options.giveUpAfterMs;
        if (isLate || isClosed) return fail(fault);
      }
      await pause(env.timers, pauseMs);
    }
  }

  function fail(fault: JournalFault): void {
    broken = fault;
    cancelBeat();
    if (isLast(fault)) options.onLost(fault);
  }

  /**
   * The answer to a write is leave to send. One that a machine which stood still reads long afterwards is not: another
   * process may have the account, and have proven that nothing was sent.
   */
  async function requireLease(): Promise<void> {
    const { rows } = await client!.query(seen());
    if (rows.length > 0) return;
    const fault = lost(account, await holderOf(client!, account));
    fail(fault);
    throw fault;
  }

  function seen(): Statement {
    return {
      name: 'trimtab-beat',
      text: 'UPDATE trimtab.accounts SET seen = now() WHERE account = $1 AND token = $2 RETURNING 1',
      values: [account, token],
    };
  }

  /** Updates the heartbeat for operators, and detects a lost lease while nothing is written. */
  function beat(): void {
    cancelBeat = env.timers.after(HEARTBEAT_MS, () => {
      void touch().finally(() => {
        if (!isClosed && broken === undefined) beat();
      });
    });
  }

  async function touch(): Promise<void> {
    try {
      const { rows } = await repeat(seen());
      if (rows.length === 0) fail(lost(account, await holderOf(client!, account)));
    } catch (error) {
      env.log.warn('The heartbeat of the journal failed', {
        reason: unreachable(error, url).message,
      });
    }
  }
}

/** Faults that no further attempt mends. */
const isLast = ({ code }: JournalFault): boolean => code === 'lease_lost' || code === 'damaged';

/** A replica that took over had not received everything, or a backup was restored. */
const behind = (account: string): JournalFault =>
  new JournalFault(
    'damaged',
    `The database of ${account} lacks what it had acknowledged: a copy that was behind has taken its place.\n` +
      '  This process sends nothing more. Bring the former database back, or compare what runs on the service with the\n' +
      '  journal (trimtab status) before you start again.',
  );

/** A server that was demoted under an open connection: another one takes the writes. */
const READ_ONLY = '25006';

/** SQLSTATE classes that end a connection, and errors that the server did not raise at all. */
function isConnectionLost(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  if (typeof code !== 'string' || !/^[0-9FHPX][0-9A-Z]{4}$/.test(code)) return true;
  return code.startsWith('08') || code.startsWith('57P') || code === READ_ONLY;
}

/** Not granted a lock in time, cancelled, a deadlock, a conflict: the server has undone it, and the next attempt may pass. */
const UNDONE = ['55P03', '57014', '40P01', '40001'];

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code);

/** Out of disk, memory or connections (SQLSTATE class 53): the statement is undone, and somebody may make room. */
const isShort = (error: unknown): boolean => codeOf(error).startsWith('53');

const isUndone = (error: unknown): boolean => UNDONE.includes(codeOf(error)) || isShort(error);

/** What a write waits for on its connection, and the fault when that takes too long. */
interface Wait {
  warning: string;
  fault(error: unknown, url: string): JournalFault;
}

const unwritable = (url: string, why: string, remedy: string): JournalFault =>
  new JournalFault(
    'unreachable',
    `The database ${describeDatabase(url)} can't be written: ${why}.\n  ${remedy}`,
  );

const LOCKED: Wait = {
  warning: "The journal's tables are locked",
  fault: (error, url) =>
    unwritable(
      url,
      `its tables are locked (${reasonOf(error)})`,
      'A REINDEX, VACUUM FULL or ALTER does that, or an open transaction: SELECT * FROM pg_locks WHERE NOT granted.',
    ),
};

const SHORT: Wait = {
  warning: "The journal's database lacks room",
  fault: (error, url) =>
    unwritable(
      url,
      `it lacks room (${reasonOf(error)})`,
      'Make room on its disk, or in its memory, and start again.',
    ),
};
