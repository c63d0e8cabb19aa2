/**
 * The journal in PostgreSQL against lists: two accounts in one database, appends with steps of several intents, many at
 * once, refused ones among them, latches, facts, states, compaction, another process. What is read in memory, by a reader
 * and in the tables is what was written.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLiveEnv } from '../../src/env/index.ts';
import {
  isFinal,
  JournalFault,
  type IntentState,
  type JournalAppend,
  type JournalEntry,
  type JournalStore,
} from '../../src/journal/index.ts';
import { createPostgresReader, createPostgresStore } from '../../src/journal/postgres/index.ts';
import { holdLaw, Tried } from '../holdLaw.ts';
import { isFull } from '../tiers.ts';
import { findTestDatabase } from './findTestDatabase.ts';

const { database, missing } = await findTestDatabase();
const env = createLiveEnv();
let cases = 0;

const KEYS = ['k0', 'k1', 'k2', 'k3', 'k4'];
const STATES = ['guarded', 'sending', 'unknown', 'accepted', 'denied'] as const;
const NAMES = ['one', 'two'] as const;

const steps = fc.array(
  fc.record({ key: fc.constantFrom(...KEYS), state: fc.constantFrom(...STATES), wall: fc.nat(99) }),
  { maxLength: 4 },
);
const append = fc.record({
  /** A new intent, if it is not there yet. */
  opens: fc.option(fc.constantFrom(...KEYS), { nil: undefined }),
  states: fc.array(fc.constantFrom(...STATES), { maxLength: 2 }),
  wall: fc.nat(99),
  others: steps,
  /** Whether the steps of others come before those of the new one. */
  isLast: fc.boolean(),
});
const op = fc.oneof(
  { weight: 5, arbitrary: fc.record({ op: fc.constant('append' as const), append }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('taken' as const), append }) },
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constant('set' as const),
      what: fc.constantFrom('state', 'fact', 'latch'),
      name: fc.constantFrom(...NAMES),
      value: fc.constantFrom('a', 'b', ''),
      wall: fc.nat(99),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant('compact' as const),
      olderThan: fc.nat(99),
      limit: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('reopen' as const) }) },
);
type Op = typeof op extends fc.Arbitrary<infer T> ? T : never;
type Drawn = typeof append extends fc.Arbitrary<infer T> ? T : never;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

interface Life {
  key: string;
  intent: string;
  entries: JournalEntry[];
  isRetired: boolean;
  /** It had been final for an hour when the store was opened: a remote store has its last step only. */
  isBrief: boolean;
}

const stateOf = ({ entries }: Life): IntentState => entries.at(-1)!.state;

/** What one account was given, as lists. */
class Lists {
  readonly lives: Life[] = [];
  readonly written: JournalEntry[] = [];
  readonly values = new Map<string, unknown>();
  readonly latches: Array<{ name: string; value: string; reason: string; time: number }> = [];
  readonly account: string;
  store!: JournalStore;

  constructor(account: string) {
    this.account = account;
  }

  find(key: string): Life | undefined {
    return this.lives.find((life) => life.key === key);
  }

  /** The drawn append as far as it makes sense here; undefined if nothing of it does. */
  toAppend({ opens, states, wall, others, isLast }: Drawn): JournalAppend | undefined {
    const known = new Set(
      this.lives.filter((life) => !isFinal(stateOf(life))).map(({ key }) => key),
    );
    const entryOf = (key: string, state: IntentState, at: number): JournalEntry => ({
      key,
      state,
      wallTime: at + 0.5,
      marketTime: (at - 7) * MINUTE_MS,
      data: `{"at":${at}}`,
    });
    const own =
      opens === undefined
        ? []
        : (['emitted', ...states] as const).map((state, n) => entryOf(opens, state, wall + n));
    const beside: JournalEntry[] = [];
    for (const { key, state, wall: at } of others) {
      if (!known.has(key) || key === opens) continue;
      beside.push(entryOf(key, state, at));
      if (isFinal(state)) known.delete(key);
    }
    const entries = isLast ? [...beside, ...own] : [...own, ...beside];
    if (entries.length === 0) return undefined;
    return { ...(opens === undefined ? {} : { intent: rowOf(opens) }), entries };
  }

  take({ intent, entries }: JournalAppend): void {
    if (intent !== undefined) {
      const { key, intent: text } = intent;
      this.lives.push({ key, intent: text, entries: [], isRetired: false, isBrief: false });
    }
    for (const entry of entries) this.find(entry.key)!.entries.push(entry);
    this.written.push(...entries);
  }
}

const rowOf = (key: string) => ({
  key,
  decisionKey: `decision ${key}`,
  generation: 0,
  instance: 'ema',
  wallet: 'main',
  kind: 'x',
  intent: `{"of":"${key}"}`,
});

async function codeOf(work: void | Promise<void>): Promise<string | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof JournalFault) return error.code;
    throw error;
  }
}

async function act(lists: Lists, one: Op, tried: Tried): Promise<void> {
  const { store, account } = lists;
  if (one.op === 'append' || one.op === 'taken') {
    const made = lists.toAppend(one.append);
    if (made === undefined) return;
    const key = made.intent?.key;
    const isKnown = key !== undefined && lists.find(key) !== undefined;
    // The database has the decision, which this process can't know.
    const isTaken = one.op === 'taken' && key !== undefined && !isKnown;
    if (isTaken) await claim(account, key);
    // Others of its group are written, before it and after it.
    const extra = isTaken ? [store.setMeta('beside', '1'), store.writeState('beside', '1')] : [];
    expect(await codeOf(store.append(made))).toBe(isKnown || isTaken ? 'duplicate' : null);
    await Promise.all(extra);
    if (isTaken) {
      lists.values.set('fact beside', '1').set('state beside', '1');
      await release(account);
    }
    if (isKnown || isTaken) tried.take(isTaken ? 'taken elsewhere' : 'known');
    else lists.take(made);
    const intents = new Set(made.entries.map((entry) => entry.key)).size;
    if (intents > 1) tried.take(isTaken ? 'several refused' : 'several');
    return;
  }
  if (one.op === 'set') {
    const { what, name, value, wall } = one;
    const latch = { value, reason: `at ${wall}`, time: wall };
    if (what === 'state') await store.writeState(name, value);
    else if (what === 'fact') await store.setMeta(name, value);
    else await store.setLatch(name, latch);
    if (what === 'latch') lists.latches.push({ name, ...latch });
    else lists.values.set(`${what} ${name}`, value);
    return;
  }
  if (one.op === 'compact') {
    const old = lists.lives
      .filter((life) => !life.isRetired && isFinal(stateOf(life)))
      .filter(({ entries }) => entries.at(-1)!.wallTime < one.olderThan)
      .slice(0, one.limit);
    expect(await store.compact({ olderThan: one.olderThan, limit: one.limit })).toBe(old.length);
    for (const life of old) life.isRetired = true;
    if (old.length > 0) tried.take('compacted');
    return;
  }
  await store.close();
  lists.store = await createPostgresStore({ url: database!.url, account, env });
  const finals = lists.lives.filter((life) => !life.isRetired && isFinal(stateOf(life)));
  const endOf = ({ entries }: Life): number => entries.at(-1)!.marketTime;
  // The one that was written last: a clock that was set back must not make all others old.
  const ends = new Set(finals.map(({ entries }) => entries.at(-1)!));
  const newest = lists.written.findLast((entry) => ends.has(entry))?.marketTime ?? 0;
  for (const life of lists.lives) {
    life.isBrief = isFinal(stateOf(life)) && endOf(life) <= newest - HOUR_MS;
    if (life.isBrief && !life.isRetired && life.entries.length > 1) tried.take('held in brief');
  }
  tried.take('reopened');
}

/** As another process would have written it. */
const claim = (account: string, key: string) =>
  database!.run(
    `INSERT INTO trimtab.intents VALUES ('${account}', 999999, 'elsewhere', 'decision ${key}', 0,
     'ema', 'main', 'x', '{}', 'denied', true, false, 0, 0)`,
  );
const release = (account: string) =>
  database!.run(`DELETE FROM trimtab.intents WHERE account = '${account}' AND id = 999999`);

function compareMemory({ store, lives, values, latches }: Lists): void {
  for (const key of KEYS) {
    const life = lives.find((each) => each.key === key);
    expect(store.holds(key)).toBe(life !== undefined);
    expect(store.stateOf(key)).toBe(life && stateOf(life));
    const isWhole = life !== undefined && !life.isRetired;
    const row = isWhole ? { ...rowOf(key), state: stateOf(life) } : undefined;
    expect(store.intent(key)).toEqual(row);
    const entries = isWhole ? (life.isBrief ? life.entries.slice(-1) : life.entries) : [];
    expect(store.entries(key)).toEqual(entries);
  }
  const whole = lives.filter(({ isRetired }) => !isRetired);
  expect(store.intents().map(({ key }) => key)).toEqual(whole.map(({ key }) => key));
  expect(store.openIntents().map(({ key }) => key)).toEqual(
    whole.filter((life) => !isFinal(stateOf(life))).map(({ key }) => key),
  );
  for (const name of [...NAMES, 'beside']) {
    expect(store.readState(name)).toBe(values.get(`state ${name}`));
    expect(store.meta(name)).toBe(values.get(`fact ${name}`));
  }
  const newest = NAMES.flatMap((name) => latches.findLast((latch) => latch.name === name) ?? []);
  expect(store.latches()).toEqual(newest);
}

async function compareTables({ account, lives }: Lists): Promise<void> {
  const intents = await database!.run(
    `SELECT key, intent, state, final, retired, opened, updated FROM trimtab.intents
     WHERE account = '${account}' ORDER BY id`,
  );
  expect(intents).toEqual(
    lives.map((life) => ({
      key: life.key,
      intent: life.isRetired ? '' : life.intent,
      state: stateOf(life),
      final: isFinal(stateOf(life)),
      retired: life.isRetired,
      opened: life.entries[0]!.wallTime,
      updated: life.entries.at(-1)!.wallTime,
    })),
  );
}

async function compareReader({ account, lives, written, latches }: Lists): Promise<void> {
  const reader = await createPostgresReader({ url: database!.url, account });
  const whole = lives.filter(({ isRetired }) => !isRetired);
  const newestFirst = whole.toReversed();
  for (const limit of [1, 2, 3, 5]) {
    const pages: string[][] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await reader.find({ limit, ...(cursor === undefined ? {} : { cursor }) });
      pages.push(page.items.map(({ key }) => key));
      cursor = page.next;
    }
    expect(pages.flat()).toEqual(newestFirst.map(({ key }) => key));
    expect(pages.length).toBe(Math.max(1, Math.ceil(whole.length / limit)));
  }
  for (const { entries } of whole) {
    const at = entries[0]!.wallTime;
    const found = async (filter: object): Promise<string[]> =>
      (await reader.find({ limit: 99, ...filter })).items.map(({ key }) => key);
    const keys = (isWanted: (life: Life) => boolean) =>
      newestFirst.filter(isWanted).map(({ key }) => key);
    const state = entries.at(-1)!.state;
    expect(await found({ since: at })).toEqual(keys((life) => life.entries[0]!.wallTime >= at));
    expect(await found({ until: at, states: [state] })).toEqual(
      keys((life) => life.entries[0]!.wallTime < at && stateOf(life) === state),
    );
  }
  const read: JournalEntry[] = [];
  for await (const { intent, entries } of reader.lives()) {
    read.push(...entries);
    expect(intent.marketOpened).toBe(entries[0]!.marketTime);
  }
  const remaining = written.filter((entry) => whole.some(({ key }) => key === entry.key));
  const byLife = whole.flatMap(({ key }) => remaining.filter((entry) => entry.key === key));
  expect(read).toEqual(byLife);
  expect(await reader.latchChanges()).toEqual(latches);
  expect(await reader.held(KEYS)).toEqual(new Set(lives.map(({ key }) => key)));
  expect(await reader.retired()).toBe(lives.length - whole.length);
  expect(await reader.problems()).toEqual([]);
  await reader.close();
}

describe.skipIf(database === undefined)(`PostgreSQL${missing}`, () => {
  test('holds what was written, in its order, of each account its own', async () => {
    const tried = new Tried();
    const course = fc.array(fc.tuple(fc.nat(1), op), { minLength: 10, maxLength: 40 });
    await holdLaw(5, course, async (ops) => {
      const number = cases++;
      const both = [new Lists(`drawn-${number}-a`), new Lists(`drawn-${number}-b`)] as const;
      for (const lists of both)
        lists.store = await createPostgresStore({
          url: database!.url,
          account: lists.account,
          env,
        });
      try {
        for (const [at, one] of ops) {
          await act(both[at]!, one, tried);
          for (const lists of both) compareMemory(lists);
        }
        for (const lists of both) {
          await compareTables(lists);
          await compareReader(lists);
        }
      } finally {
        for (const { store } of both) await store.close();
      }
    });
    const kinds = [
      'held in brief',
      'taken elsewhere',
      'known',
      'several',
      'several refused',
      'compacted',
      'reopened',
    ];
    if (isFull) expect(tried.rare(kinds, 1)).toEqual([]);
  });

  test('writes many at once in their order, whatever their number', async () => {
    const account = `drawn-${cases++}-many`;
    const { url } = database!;
    const store = await createPostgresStore({ url, account, env });
    const entry = { state: 'emitted' as const, marketTime: 1, data: '{}' };
    const count = 450;
    const work = Array.from({ length: count }, (_none, at) => {
      const key = `m${at}`;
      const done = store.append({ intent: rowOf(key), entries: [{ ...entry, key, wallTime: at }] });
      return at % 150 === 75 ? Promise.all([done, store.setMeta('at', String(at))]) : done;
    });
    await store.close();
    await Promise.all(work);
    const rows = await database!.run(
      `SELECT key FROM trimtab.intents WHERE account = '${account}' ORDER BY id`,
    );
    expect(rows.map(({ key }) => key)).toEqual(
      Array.from({ length: count }, (_none, at) => `m${at}`),
    );
    const again = await createPostgresStore({ url, account, env });
    expect(again.meta('at')).toBe('375');
    expect(again.openIntents()).toHaveLength(count);
    await again.close();
  });
});
