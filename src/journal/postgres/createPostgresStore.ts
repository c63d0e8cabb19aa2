import { requireFields } from '../../contract/failures/requireFields.ts';
import { atMost, type Env } from '../../env/index.ts';
import { isFinal, type IntentState } from '../IntentState.ts';
import { JournalFault } from '../JournalFault.ts';
import type { JournalAppend, JournalStore, Latch } from '../JournalStore.ts';
import type { ChooseJournal } from '../KnownJournal.ts';
import { latchesByName } from '../latchesByName.ts';
import { MOST_STANDING, standingOf, STAYS_WHOLE } from '../staysWhole.ts';
import { withStorableTexts } from '../withStorableTexts.ts';
import { connectPg, unreachable, type ConnectPg } from './connectPg.ts';
import { createWriteQueue } from './createWriteQueue.ts';
import { createWriterSession } from './createWriterSession.ts';
import { loadAccount } from './loadAccount.ts';
import type { Durability } from '../Durability.ts';

export interface PostgresStoreOptions {
  /** `postgres://user:password@host:port/database`; it is never shown with its password. */
  url: string;
  /** The journal's account: one account has one writer, on whatever host. */
  account: string;
  /** Chooses the journal by those that the database has; default: that of `account`. What it throws refuses the start. */
  choose?: ChooseJournal;
  env: Pick<Env, 'clock' | 'timers' | 'log'>;
  durability?: Durability;
  /**
   * Another process has taken the account over, or the database lacks what it had acknowledged: nothing more may be
   * sent.
   */
  onLost?(fault: JournalFault): void;
  /** How long a write waits for an unreachable database before it fails. Default 30 s. */
  giveUpAfterMs?: number;
}

const GIVE_UP_AFTER_MS = 30_000;
/** What the end of a connection has at least, however long its last writes took. */
const GOODBYE_MS = 100;
const COMPACT_LIMIT = 1_000;

/**
 * The journal in PostgreSQL, for fleets on several hosts. Reads are served from memory; writes go in order,
 * several in one transaction when they come faster than the database answers. A broken connection is restored
 * automatically, and an append whose answer was lost is found, not repeated.
 *
 * ```ts
 * const store = await createPostgresStore({ url, account: 'paper:main', env: createLiveEnv() });
 * store.intents().length; // => 0
 * await store.close();
 * ```
 *
 * @throws JournalFault `unreachable`, `version`, or `in_use` with the holder's host, pid and time
 */
export async function createPostgresStore(options: PostgresStoreOptions): Promise<JournalStore> {
  requireFields('createPostgresStore', options, ['url', 'account', 'env']);
  return openStoreOver(connectPg, options);
}

/** The same over connections of another kind, as a simulated database's. */
export async function openStoreOver(
  connect: ConnectPg,
  options: PostgresStoreOptions,
): Promise<JournalStore> {
  const { url, env } = options;
  const session = await createWriterSession({
    connect,
    url,
    account: options.account,
    choose: options.choose,
    env,
    synchronous: options.durability !== 'process',
    giveUpAfterMs: options.giveUpAfterMs ?? GIVE_UP_AFTER_MS,
    onLost: (fault) => options.onLost?.(fault),
  });
  const { account } = session;
  const loaded = await loadAccount(session, account).catch(async (error: unknown) => {
    await session.close();
    throw error instanceof JournalFault ? error : unreachable(error, url);
  });
  const { held, states, facts, latches } = loaded;
  let { nextId, nextSeq, nextLatch } = loaded;
  const queue = createWriteQueue(session, account);

  let broken: unknown;

  const toFault = (error: unknown): JournalFault => {
    if (error instanceof JournalFault) return error;
    const { code } = error as { code?: unknown };
    if (code === UNIQUE_VIOLATION) {
      return new JournalFault('duplicate', 'The journal holds that decision already.');
    }
    return unreachable(error, url);
  };

  /**
   * Only a decision that the database already has is refused alone. After any other failure memory and database
   * may differ, and only reopening synchronizes them.
   */
  const written = async <T>(write: () => Promise<T>, undo: () => void = () => {}): Promise<T> => {
    try {
      if (broken === undefined) return await write();
    } catch (error) {
      const fault = toFault(error);
      undo();
      if (fault.code !== 'duplicate') broken = fault;
      throw fault;
    }
    undo();
    const message = `The journal of ${account} failed before and must be reopened.`;
    throw new JournalFault('broken', message, { cause: broken });
  };

  /** Sets a value in memory at once, and retains the previous one until the database has the new one. */
  const keep = <T>(
    map: Map<string, T>,
    key: string,
    value: T,
    statement: Value,
    values: unknown[],
  ) => {
    const former = map.get(key);
    map.set(key, value);
    const undo = (): void => {
      if (map.get(key) !== value) return;
      if (former === undefined) map.delete(key);
      else map.set(key, former);
    };
    const { text, trace, count } = statement;
    const all = [account, ...values];
    const found = { text: trace, values: all.slice(0, count) };
    return written(() => queue.write({ text, values: all }, found), undo).then(() => {});
  };

  return withStorableTexts({
    append(append) {
      const refused = refusalOf(append, held.holds);
      if (refused !== undefined) return Promise.reject(refused);
      const { intent } = append;
      const entries = append.entries.map((entry) => ({ ...entry, seq: nextSeq++ }));
      const numbered = {
        ...(intent === undefined ? {} : { intent: { ...intent, id: nextId++ } }),
        entries,
      };
      const undo = held.append(append);
      return written(() => queue.append(numbered), undo);
    },
    holds: held.holds,
    async learn(keys) {
      const values = [account, keys.filter((key) => !held.holds(key))];
      const { rows } = await session.run({ text: FIND_KEYS, values });
      for (const { key, state } of rows) held.learn(String(key), state as IntentState);
    },
    stateOf: held.stateOf,
    intent: held.row,
    entries: held.entries,
    openIntents: () => held.rows().filter(({ state }) => !isFinal(state)),
    intents: held.rows,
    newestIntents: () => held.rows().toReversed(),
    standingIntents: () => standingOf(held.rows()).toReversed(),
    readState: (instance) => states.get(instance),
    writeState: (instance, state) => keep(states, instance, state, WRITE_STATE, [instance, state]),
    meta: (key) => facts.get(key),
    setMeta: (key, value) => keep(facts, key, value, SET_FACT, [key, value]),
    latch: (name) => latches.get(name),
    setLatch(name, { value, reason, time }) {
      const latch: Latch = { value, reason, time };
      return keep(latches, name, latch, SET_LATCH, [nextLatch++, name, value, reason, time]);
    },
    latches: () => latchesByName(latches),
    async compact({ olderThan, limit = COMPACT_LIMIT }) {
      const values = [account, olderThan, limit];
      const { rows } = await written(() => queue.write({ text: COMPACT, values }));
      held.retire(rows.map(({ key }) => String(key)));
      return rows.length;
    },
    async close(withinMs) {
      const settled = queue.settled();
      if (withinMs === undefined) {
        await settled;
        return session.close();
      }
      const until = env.clock.monotonicNow() + withinMs;
      await atMost(env.timers, settled, withinMs);
      await session.close(Math.max(GOODBYE_MS, until - env.clock.monotonicNow()));
    },
  });
}

const FIND_KEYS = 'SELECT key, state FROM trimtab.intents WHERE account = $1 AND key = ANY ($2)';
const UNIQUE_VIOLATION = '23505';

function refusalOf(
  { intent, entries }: JournalAppend,
  holds: (key: string) => boolean,
): Error | undefined {
  if (intent !== undefined && holds(intent.key)) {
    return new JournalFault('duplicate', `The journal holds ${intent.key} already.`);
  }
  const stray = entries.find(({ key }) => key !== intent?.key && !holds(key));
  return stray === undefined ? undefined : new Error(`The journal does not hold ${stray.key}.`);
}

/** A write that may run twice, and what finds it: a query of its first `count` values. */
interface Value {
  text: string;
  trace: string;
  count: number;
}

const WRITE_STATE: Value = {
  text: `INSERT INTO trimtab.strategy_states (account, instance, state)
    VALUES ($1, $2, $3) ON CONFLICT (account, instance) DO UPDATE SET state = excluded.state`,
  trace: `SELECT FROM trimtab.strategy_states WHERE account = $1 AND instance = $2 AND state = $3`,
  count: 3,
};
const SET_FACT: Value = {
  text: `INSERT INTO trimtab.facts (account, key, value)
    VALUES ($1, $2, $3) ON CONFLICT (account, key) DO UPDATE SET value = excluded.value`,
  trace: `SELECT FROM trimtab.facts WHERE account = $1 AND key = $2 AND value = $3`,
  count: 3,
};
/** Idempotent: sent again after a lost answer, it matches its own row. */
const SET_LATCH: Value = {
  text: `INSERT INTO trimtab.latches (account, seq, name, value, reason, time)
    VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (account, seq) DO NOTHING`,
  trace: `SELECT FROM trimtab.latches WHERE account = $1 AND seq = $2`,
  count: 2,
};
/** Retires the oldest of what ended before a time. */
export const COMPACT = `
  WITH old AS (
    SELECT key FROM trimtab.intents
    WHERE account = $1 AND final AND NOT retired AND updated < $2
      AND NOT (${STAYS_WHOLE} AND id > coalesce((SELECT id FROM trimtab.intents
        WHERE account = $1 AND ${STAYS_WHOLE} AND NOT retired
        ORDER BY id DESC LIMIT 1 OFFSET ${MOST_STANDING}), 0))
    ORDER BY id LIMIT $3
  ), dropped AS (
    DELETE FROM trimtab.entries USING old WHERE entries.account = $1 AND entries.key = old.key
  )
  UPDATE trimtab.intents SET retired = true, intent = '' FROM old
  WHERE intents.account = $1 AND intents.key = old.key RETURNING intents.key`;
