import { constants, copyFileSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { BotConfig } from '../../config/index.ts';
import { makeFolders, reasonOf, type Env } from '../../env/index.ts';
import {
  ACCOUNT,
  copySqlite,
  createSqliteReader,
  createSqliteStore,
  goesOnIn,
  JournalFault,
  lockWriter,
  syncFolder,
  type JournalStore,
  type Latch,
} from '../../journal/index.ts';
import {
  rankOf,
  readLatch,
  writeLatch,
  type KillLatch,
  type KillLevel,
} from '../../runtime/index.ts';
import { accountOf } from './accountOf.ts';
import { verifyCopy, type Verification } from './verifyJournal.ts';

export interface RestoreOptions {
  config: BotConfig;
  env: Pick<Env, 'clock'>;
  /** The backup. */
  from: string;
  /** Of this process, for a unique temporary name. */
  pid: number;
}

/** What was restored, or why it was not; then nothing has changed. */
export type Restored =
  | {
      ok: true;
      found: Verification;
      aside: string | null;
      /** At which the bot starts. */
      level: KillLevel;
      /** Pauses, throttles and stages of strategies that are in force, by name. */
      latches: readonly string[];
    }
  | { ok: false; reason: string; remedy: string };

const refused = (reason: string, remedy: string): Restored => ({ ok: false, reason, remedy });

/**
 * Puts a backup in the place of a bot's journal, while no bot runs: the backup is verified first, what stood there is
 * set aside, and the bot starts at L1, because the journal does not know what was decided after the backup. What was in
 * force in the journal that stood there stays in force, as far as that can be read: only an operator lowers a level.
 *
 * @throws JournalFault `in_use` where a bot runs; any fault of the backup
 */
export async function restoreJournal(options: RestoreOptions): Promise<Restored> {
  const { config, env, from, pid } = options;
  const { path, url } = config.journal;
  if (url !== undefined)
    return refused(
      'the journal is in PostgreSQL',
      'Restore it by the database: psql DATABASE < FILE',
    );
  if (path === 'memory')
    return refused('the journal is in memory', 'Name a file under journal: in the configuration.');
  const wrong = await explainForeign(from, config);
  if (wrong !== undefined) return wrong;
  const part = `${path}.${pid}.part`;
  try {
    makeFolders(dirname(path));
    await copySqlite(from, part);
    const found = await verifyCopy(part);
    if (found.problems.length > 0)
      return refused(`the backup has ${found.problemCount} problems: ${found.problems[0]}`, WHOLE);
    const standing = await inStanding(path, (store) => readInForce(path, store));
    const inForce = await latchRestored(part, { from, standing, time: env.clock.wallNow() });
    return { ok: true, found, ...inForce, aside: await replace(path, part, env.clock.wallNow()) };
  } catch (error) {
    if (error instanceof JournalFault) throw error;
    return refused(reasonOf(error), 'Look at the folder of the journal: its rights, its space.');
  } finally {
    for (const ending of ['', '-wal', '-shm', '.lock']) rmSync(`${part}${ending}`, { force: true });
  }
}

const WHOLE = 'Take another backup: trimtab journal verify FILE shows whether one is whole.';

/** The journal of another account would let a bot take foreign orders for its own. */
async function explainForeign(from: string, config: BotConfig): Promise<Restored | undefined> {
  const reader = createSqliteReader(from);
  try {
    const owner = (await reader.facts())[ACCOUNT];
    const account = accountOf(config);
    // The next start makes it that of the wallets that came since.
    if (owner === undefined || goesOnIn(owner, account)) return undefined;
    return refused(
      `${from} is the journal of ${owner}, and this bot's is that of ${account}`,
      'Take a backup of this bot.',
    );
  } finally {
    await reader.close();
  }
}

type NamedLatch = Latch & { name: string };

/** What is in force in a journal. */
interface InForce {
  kill: KillLatch | undefined;
  latches: readonly NamedLatch[];
}

const readInForce = (path: string, store: JournalStore): InForce => ({
  kill: readLatch(store, path),
  latches: store.latches(),
});

/** Strategies that either of both has paused or throttled stay so; of a stage, which says what trades, the newer row counts. */
const ON = /^(?:pause|throttle) /;
const STAGE = /^stage /;

/** Whether a latch of the journal that is replaced goes over the one of the backup. */
function goesOver(latch: NamedLatch, own: Latch | undefined): boolean {
  if (ON.test(latch.name)) return latch.value === 'on' && own?.value !== 'on';
  return STAGE.test(latch.name) && (own === undefined || latch.time > own.time);
}

const isInForce = ({ name, value }: NamedLatch): boolean =>
  (ON.test(name) && value === 'on') || (STAGE.test(name) && !value.startsWith('shadow '));

/** The highest level of both, and L1 at least. */
async function latchRestored(
  copy: string,
  { from, standing, time }: { from: string; standing: InForce | undefined; time: number },
): Promise<{ level: KillLevel; latches: readonly string[] }> {
  const store = createSqliteStore(copy);
  try {
    const own = readLatch(store, copy);
    const first: KillLatch = { level: 'L1', reason: `restored from ${from}`, time };
    const highest = [own, standing?.kill, first]
      .filter((one) => one !== undefined)
      .reduce((high, one) => (rankOf(one.level) > rankOf(high.level) ? one : high));
    if (highest !== own) await writeLatch(store, highest);
    for (const { name, ...latch } of standing?.latches ?? [])
      if (goesOver({ name, ...latch }, store.latch(name))) await store.setLatch(name, latch);
    const latches = store.latches().filter(isInForce);
    return { level: highest.level, latches: latches.map(({ name }) => name).toSorted() };
  } finally {
    await store.close();
  }
}

const LOGS = ['-wal', '-shm'];

/**
 * Puts a whole file in the place of a journal, as its one writer. At each instant a journal stands there: a start that
 * found none would make an empty one, at L0. A log goes first, since a file without its log is refused. Where it can't,
 * all is as it was.
 *
 * @returns where the journal that stood there is now; null if there was none
 */
async function replace(path: string, part: string, time: number): Promise<string | null> {
  await inStanding(path, () => {});
  const unlock = lockWriter(path);
  try {
    const isThere = existsSync(path);
    const aside = `${path}.replaced-${time}`;
    const isNew = !existsSync(aside);
    const moved: string[] = [];
    try {
      for (const ending of LOGS.filter((log) => existsSync(`${path}${log}`))) {
        renameSync(`${path}${ending}`, `${aside}${ending}`);
        moved.push(ending);
      }
      if (isThere) keep(path, aside);
      renameSync(part, path);
    } catch (error) {
      if (isNew) rmSync(aside, { force: true });
      putBack(moved, { path, aside, reason: reasonOf(error) });
      throw error;
    }
    syncFolder(dirname(resolve(path)));
    return isThere ? aside : null;
  } finally {
    unlock();
  }
}

/**
 * Opens the journal that is to be replaced, which merges its log as well. A damaged one can't be opened, and no process
 * writes it either.
 */
async function inStanding<T>(
  path: string,
  look: (store: JournalStore) => T,
): Promise<T | undefined> {
  if (!existsSync(path)) return undefined;
  try {
    const store = createSqliteStore(path);
    try {
      return look(store);
    } finally {
      await store.close();
    }
  } catch (error) {
    if (error instanceof JournalFault && error.code === 'in_use') throw error;
    return undefined;
  }
}

/** A second name for a file, or a copy where the file system has no second names. */
function keep(path: string, aside: string): void {
  try {
    linkSync(path, aside);
  } catch {
    copyFileSync(path, aside, constants.COPYFILE_EXCL);
  }
}

/** @throws Error that names where the journal's log is, if it can't be where it was */
function putBack(
  moved: readonly string[],
  { path, aside, reason }: { path: string; aside: string; reason: string },
): void {
  try {
    for (const ending of moved.toReversed()) renameSync(`${aside}${ending}`, `${path}${ending}`);
  } catch (error) {
    throw new Error(
      `${reason}. The log of the bot's journal is ${aside}-wal now, and can't be moved back (${reasonOf(error)}): ` +
        `move it to ${path}-wal, with its -shm file, before the bot starts`,
      { cause: error },
    );
  }
}
