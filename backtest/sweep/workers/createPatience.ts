import { pause, reasonOf, type Env } from '../../../src/env/index.ts';
import { describeDatabase, withoutPassword } from '../../../src/journal/index.ts';

const AGAIN_MS = 2_000;

export interface PatienceOptions {
  /** The database, whose password no message holds. */
  url: string;
  env: Pick<Env, 'timers' | 'log'>;
  isStopped(): boolean;
}

/**
 * Runs something on the database, and again as long as it is unreachable or has no room; the log says so
 * once, and when all that waited is done: a full disk has room for a small write still.
 *
 * @throws what the database refuses, or when the user stops
 */
export type Patience = <T>(run: () => Promise<T>) => Promise<T>;

export function createPatience({ url, env, isStopped }: PatienceOptions): Patience {
  const database = describeDatabase(url);
  /** How many wait at present. */
  let waiting = 0;
  const explain = (error: unknown): void => {
    const reason = withoutPassword(reasonOf(error), url);
    const isFull = lacksRoom(error);
    if (isRefusal(error) && !isFull) {
      throw new Error(
        `The database ${database} refuses what a sweep needs: ${reason}.\n  Check the rights of that user, and that it can be written; then start this again.`,
      );
    }
    const [now, then] = isFull
      ? ['has no room', 'had no room']
      : ['is unreachable', 'was unreachable'];
    if (isStopped()) throw new Error(`Stopped while ${database} ${then}: ${reason}`);
    if (waiting === 0) {
      const message = `The sweep's database ${now}: trying again every ${AGAIN_MS / 1_000} s`;
      env.log.warn(message, { database, reason });
    }
  };
  return async (run) => {
    let isWaiting = false;
    try {
      for (; ; await pause(env.timers, AGAIN_MS)) {
        try {
          const done = await run();
          if (isWaiting && waiting === 1)
            env.log.info("The sweep's database can be used again", { database });
          return done;
        } catch (error) {
          explain(error);
          if (!isWaiting) waiting += 1;
          isWaiting = true;
        }
      }
    } finally {
      if (isWaiting) waiting -= 1;
    }
  };
}

/** Whether a server answered a statement; an error that ends the connection is `FATAL`. */
const isRefusal = (error: unknown): boolean =>
  (error as { severity?: unknown }).severity === 'ERROR';

/** PostgreSQL's class of insufficient resources: the disk, memory, connections. */
const lacksRoom = (error: unknown): boolean =>
  String((error as { code?: unknown }).code).startsWith('53');
