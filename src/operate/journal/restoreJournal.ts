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
  readSurviving,
  syncFolder,
  type JournalStore,
  type Latch,
  type Surviving,
} from '../../journal/index.ts';
import {
  KILL_LEVELS,
  rankOf,
  readLatch,
  writeLatch,
  type KillLatch,
  type KillLevel,
} from '../../runtime/index.ts';
import { accountOf } from './accountOf.ts';
import { isOfJournal } from './isOfJournal.ts';
import { countProblems, verifyCopy, type Verification } from './verifyJournal.ts';

export interface RestoreOptions {
  config: BotConfig;
  env: Pick<Env, 'clock'>;
  /** The backup. */
  from: string;
  /** Of this process, for a unique temporary name. */
  pid: number;
  /** What the files beside the journal say, for what the journal that stands there can't say. */
  last?: {
    /** The level that the bot reported last; it counts where the journal can't be read. */
    reported?: KillLevel | undefined;
    /** The level of a command that waits for the start. */
    waiting?: KillLevel | undefined;
  };
}

/** What was restored, or why it was not; then nothing has changed. */
export type Restored =
  | {
      ok: true;
      found: Verification;
      aside: string | null;
      /** At which the bot starts. */
      level: KillLevel;
      /** Pauses, throttles and stages of strategies that are in force, by name, and positions that are ignored. */
      latches: readonly string[];
      /** Whether what was in force in the journal that stood there can't be read whole. */
      unread: boolean;
    }
  | { ok: false; reason: string; remedy: string };

const refused = (reason: string, remedy: string): Restored => ({ ok: false, reason, remedy });

/**
 * Puts a backup in the place of a bot's journal, while no bot runs: the backup is verified first, what stood there is
 * set aside, and the bot starts at L1, because the journal does not know what was decided after the backup. What was in
 * force in the journal that stood there stays in force, as far as that can be read: only an operator lowers a level. So
 * do the day's loss, uncovered time, stops, purchases and owners that it had noted, unless it was begun after the backup
 * and knew nothing of them.
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
      return refused(`the backup has ${countProblems(found)}: ${found.problems[0]}`, WHOLE);
    const backup = survivingOf(part);
    const standing = await readStanding(path, backup.lastKey);
    const isOwn = ownsFacts(standing, config) && !isOlder(standing, backup);
    const least = leastLevel(standing, options.last ?? {});
    const time = env.clock.wallNow();
    const inForce = await latchRestored(part, { from, standing, isOwn, least, time });
    const asideAt = env.clock.wallNow();
    const aside = await replace({ path, part, time: asideAt, standing });
    if (aside === undefined) return refused(`${path} was written meanwhile`, 'Restore it again.');
    return { ok: true, found, ...inForce, unread: standing?.isWhole === false, aside };
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

interface Standing extends Surviving {
  kill: KillLatch | undefined;
  /** It lacks what the backup decided last: the process that began it knew nothing of the backup. */
  isBegunAnew: boolean;
}

/** What a journal that is to be replaced still says; nothing, and not whole, if it can't be read at all. */
async function readStanding(
  path: string,
  lastKey: string | undefined,
): Promise<Standing | undefined> {
  if (!existsSync(path)) return undefined;
  const opened = await inStanding(path, (store) => ({ kill: readLatch(store, path) }));
  const surviving = survivingOf(path, lastKey);
  // A log that is damaged may have held more.
  const isWhole = opened !== undefined && surviving.isWhole;
  const isBegunAnew = opened !== undefined && surviving.isHeld === false;
  return { ...surviving, isWhole, isBegunAnew, kill: opened?.kill ?? levelIn(surviving.latches) };
}

function survivingOf(path: string, lastKey?: string): Surviving {
  try {
    return readSurviving(path, lastKey);
  } catch {
    return {
      latches: [],
      facts: new Map(),
      lastTime: undefined,
      lastKey: undefined,
      isHeld: undefined,
      isWhole: false,
    };
  }
}

/** A backup that was written later knows the bot's facts better; where one can't say, those of what stood there count. */
const isOlder = (standing: Surviving | undefined, backup: Surviving): boolean =>
  (standing?.lastTime ?? Infinity) < (backup.lastTime ?? -Infinity);

/** Facts of a wallet are another wallet's on another account, and what is in force restricts either. */
function ownsFacts(standing: Standing | undefined, config: BotConfig): boolean {
  const owner = standing?.facts.get(ACCOUNT);
  return owner === undefined || goesOnIn(owner, accountOf(config));
}

const levelIn = (latches: readonly NamedLatch[]): KillLatch | undefined =>
  latches.flatMap(({ name, value, reason, time }) => {
    const level = KILL_LEVELS.find((known) => name === 'kill' && known === value);
    return level === undefined ? [] : [{ level, reason, time }];
  })[0];

/** The level that the files beside the journal call for. */
function leastLevel(
  standing: Standing | undefined,
  { reported = 'L0', waiting = 'L0' }: NonNullable<RestoreOptions['last']>,
): KillLevel {
  const isSaid = standing?.isWhole === true && standing.kill !== undefined;
  return !isSaid && rankOf(reported) > rankOf(waiting) ? reported : waiting;
}

/**
 * Strategies that either of both has paused or throttled stay so; of what trades, a stage, a version, a position that is
 * ignored or was given to a strategy, the newer row counts.
 */
const ON = /^(?:pause|throttle) /;
const NEWER = /^(?:stage|version|position) /;

/** Whether a latch of the journal that is replaced goes over the one of the backup. */
function goesOver(latch: NamedLatch, own: Latch | undefined): boolean {
  if (ON.test(latch.name)) return latch.value === 'on' && own?.value !== 'on';
  return NEWER.test(latch.name) && (own === undefined || latch.time > own.time);
}

/** A latch as an operator is told of it; undefined if it changes nothing. */
function describeInForce({ name, value }: NamedLatch): string | undefined {
  if (ON.test(name)) return value === 'on' ? name : undefined;
  if (name.startsWith('position ')) return value === 'ignored' ? `${name} ignored` : undefined;
  return name.startsWith('stage ') && !value.startsWith('shadow ') ? name : undefined;
}

interface ToLatch {
  from: string;
  standing: Standing | undefined;
  /** Whether the facts of the journal that is replaced are this bot's. */
  isOwn: boolean;
  least: KillLevel;
  time: number;
}

/** The highest level of both, and L1 at least. */
async function latchRestored(
  copy: string,
  { from, standing, isOwn, least, time }: ToLatch,
): Promise<{ level: KillLevel; latches: readonly string[] }> {
  const store = createSqliteStore(copy);
  try {
    const own = readLatch(store, copy);
    const first: KillLatch = { level: 'L1', reason: `restored from ${from}`, time };
    const reported = { ...first, level: least, reason: `${least} stood when it was restored` };
    const highest = [own, standing?.kill, first, reported]
      .filter((one) => one !== undefined)
      .reduce((high, one) => (rankOf(one.level) > rankOf(high.level) ? one : high));
    if (highest !== own) await writeLatch(store, highest);
    for (const { name, ...latch } of standing?.latches ?? [])
      if (goesOver({ name, ...latch }, store.latch(name))) await store.setLatch(name, latch);
    await noteFacts(store, isOwn ? standing : undefined);
    const latches = store.latches().flatMap((latch) => describeInForce(latch) ?? []);
    return { level: highest.level, latches: latches.toSorted() };
  } finally {
    await store.close();
  }
}

/** What is counted up over time: a journal that was begun anew has a part of it at most. */
const COUNTED_UP = /^(?:owner|spot):/;
const DAY = /^day:/;
/** Names an intent of the journal in which it is noted, and stays there. */
const REARMED_AFTER = 'throttle re-armed after';
const isCarriedOver = (name: string): boolean => !isOfJournal(name) && name !== REARMED_AFTER;

/** What the process before had noted last is newer than any backup, and the present day's loss is in no other place. */
async function noteFacts(store: JournalStore, standing: Standing | undefined): Promise<void> {
  for (const [name, value] of standing?.facts ?? []) {
    if (!isCarriedOver(name)) continue;
    const own = standing?.isBegunAnew === true ? store.meta(name) : undefined;
    if (own !== undefined && COUNTED_UP.test(name)) continue;
    const noted = own !== undefined && DAY.test(name) ? laterDay(own, value) : value;
    await store.setMeta(name, noted);
  }
}

type Day = { day: number; lost?: number };

/** The later of two days; of the same one its first start, and the larger loss. */
function laterDay(ofBackup: string, since: string): string {
  const [own, other] = [ofBackup, since].map((text) => JSON.parse(text) as Day) as [Day, Day];
  if (other.day !== own.day) return other.day > own.day ? since : ofBackup;
  const lost = Math.max(own.lost ?? 0, other.lost ?? 0);
  return lost === (own.lost ?? 0) ? ofBackup : JSON.stringify({ ...own, lost });
}

const LOGS = ['-wal', '-shm'];

/**
 * Puts a whole file in the place of a journal, as its one writer. At each instant a journal stands there: a start that
 * found none would make an empty one, at L0. A log goes first, since a file without its log is refused. Where it can't,
 * all is as it was.
 *
 * @returns where the journal that stood there is now; null if there was none; undefined if it says another than before
 */
async function replace({
  path,
  part,
  time,
  standing,
}: {
  path: string;
  part: string;
  time: number;
  standing: Surviving | undefined;
}): Promise<string | null | undefined> {
  await inStanding(path, () => {});
  const unlock = lockWriter(path);
  try {
    if (!isSame(standing, existsSync(path) ? survivingOf(path) : undefined)) return undefined;
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

/** Whether a journal says the same of what is in force. Who opened it last is no part of that. */
function isSame(one: Surviving | undefined, other: Surviving | undefined): boolean {
  const textOf = (said: Surviving | undefined): string =>
    JSON.stringify([
      said?.latches,
      [...(said?.facts ?? [])].filter(([name]) => isCarriedOver(name)),
    ]);
  return textOf(one) === textOf(other);
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
