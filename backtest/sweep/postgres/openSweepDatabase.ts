import { pause, reasonOf, type Env } from '../../../src/env/index.ts';
import { describeDatabase } from '../../../src/journal/index.ts';
import type { PgClient, PgResult } from '../../../src/journal/postgres/index.ts';
import { connectSweeps, refusal, type Statement } from './sweepTables.ts';

export interface SweepDatabaseOptions {
  /** `postgres://user:password@host:port/database` */
  url: string;
  /** Shown in `pg_stat_activity`. */
  name: string;
  env: Pick<Env, 'timers' | 'log'>;
  /** Acquires the locks that a connection needs from its start, if any. */
  hold?(): Statement | undefined;
  /** A new connection has replaced a lost one, and others may have acted meanwhile. */
  onBack?(): void;
  /** Ends the wait for a database that is unavailable. */
  isStopped(): boolean;
}

/** A sweep's database, which reconnects at once, not with the next statement. */
export interface SweepDatabase {
  /**
   * Runs a statement, and again on the next connection if one broke during it: each statement must be
   * safe to run twice. The state of a session, its locks included, is lost with its connection.
   *
   * @throws with the database's message if it refuses, is unavailable when the user stops, or was closed
   */
  query(statement: Statement): Promise<PgResult>;
  close(): Promise<void>;
}

const AGAIN_MS = 2_000;

/**
 * @throws JournalFault `unreachable` if the first connection fails: then a wrong address is more likely
 *   than an unavailable database
 */
export async function openSweepDatabase(options: SweepDatabaseOptions): Promise<SweepDatabase> {
  const { url, name, env, isStopped } = options;
  const where = describeDatabase(url);
  let client: PgClient;
  /**
   * Its error for a statement that failed: a connection that ends during one reports the reason only
   * there.
   */
  let lastWords: unknown;
  let back: Promise<void> | undefined;
  let isClosed = false;
  await connect();

  async function connect(): Promise<void> {
    const fresh = await connectSweeps(url, name, options.hold?.());
    client = fresh;
    lastWords = undefined;
    // A failure here is reported to the next caller.
    fresh.on(
      'error',
      (error) => void (fresh === client && comeBack(lastWords ?? error).catch(() => {})),
    );
  }

  function comeBack(error: unknown): Promise<void> {
    return (back ??= reconnect(error).finally(() => {
      back = undefined;
    }));
  }

  async function reconnect(error: unknown): Promise<void> {
    await client.end().catch(() => {});
    let reported: string | undefined;
    for (let reason = reasonOf(error); !isClosed;) {
      if (reason !== reported) {
        env.log.warn(
          `The sweep's database is unreachable: trying again every ${AGAIN_MS / 1_000} s`,
          {
            database: where,
            reason,
          },
        );
      }
      reported = reason;
      await pause(env.timers, AGAIN_MS);
      if (isStopped()) throw new Error(`Stopped while ${where} was unreachable: ${reason}`);
      try {
        await connect();
        if (isClosed) return await client.end();
        env.log.info("The sweep's database is reachable again", { database: where });
        return options.onBack?.();
      } catch (fault) {
        reason = reasonOf(fault);
      }
    }
  }

  return {
    async query(statement) {
      for (;;) {
        await back;
        const asked = client;
        try {
          return await asked.query(statement);
        } catch (error) {
          if (isClosed) throw error;
          if (asked === client) lastWords = error;
          if (asked === client && (await answers(asked))) throw refusal(error, url);
          if (asked === client) await comeBack(error);
        }
      }
    },
    close() {
      isClosed = true;
      return client.end().catch(() => {});
    },
  };
}

/** A connection on which nothing works any more is lost; otherwise the statement was refused. */
const answers = (client: PgClient): Promise<boolean> =>
  client.query({ text: 'SELECT 1' }).then(
    () => true,
    () => false,
  );
