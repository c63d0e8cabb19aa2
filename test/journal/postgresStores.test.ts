import { describe, expect, test } from 'vitest';
import { createPostgresReader, createPostgresStore } from '../../src/journal/postgres/index.ts';
import { journalOn, openIntent, rowOf } from './journalRows.ts';
import { database, env, faultOf, freshAccount, missing, open } from './postgresAccounts.ts';
import { testReader } from './testReader.ts';
import { testStore } from './testStore.ts';

describe.skipIf(database === undefined)(`PostgreSQL${missing}`, () => {
  testStore({
    name: 'PostgreSQL',
    isDurable: true,
    async createPlace() {
      const account = freshAccount();
      return { open: () => open(account) };
    },
  });

  testReader({
    name: 'PostgreSQL',
    async open() {
      const account = freshAccount();
      const { url } = database!;
      return {
        store: await open(account),
        openReader: () => createPostgresReader({ url, account }),
      };
    },
  });

  test('a reader of a database with several accounts must name one of them', async () => {
    const [one, two] = [freshAccount(), freshAccount()];
    for (const account of [one, two]) await (await open(account)).close();
    const { url } = database!;
    for (const options of [{ url }, { url, account: 'none' }]) {
      const fault = await faultOf(() => createPostgresReader(options));
      expect(fault.code).toBe('missing');
      expect(fault.message).toContain(one);
      expect(fault.message).toContain('--account');
    }
    await (await createPostgresReader({ url, account: two })).close();
  });

  test('a reader of an account that two journals could go on in must name one of them', async () => {
    const service = freshAccount();
    const journals = [`${service}/main`, `${service}/sub`] as const;
    const { url } = database!;
    await (await open(journals[0])).close();
    const reader = await createPostgresReader({ url, account: `${service}/main+sub` });
    expect(JSON.parse((await reader.facts())['writer']!)).toMatchObject({ pid: process.pid });
    await reader.close();
    await (await open(journals[1])).close();
    const fault = await faultOf(() =>
      createPostgresReader({ url, account: `${service}/main+sub` }),
    );
    expect(fault.code).toBe('missing');
    for (const journal of journals) expect(fault.message).toContain(journal);
    // What is refused leaves no connection.
    await expect
      .poll(() =>
        database!.run(`SELECT pid FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = 'trimtab journal'`),
      )
      .toEqual([]);
  });

  test('all lives are those of one instant, and a reading after them is of its own', async () => {
    const account = freshAccount();
    const store = await open(account);
    await addFinals(account, `'launch'`, 501);
    const { url } = database!;
    const reader = await createPostgresReader({ url, account });
    const seen: Array<[string, string]> = [];
    for await (const { intent } of reader.lives()) {
      if (seen.length === 0)
        await database!.run(
          `UPDATE trimtab.intents SET state = 'rejected' WHERE account = '${account}'`,
        );
      seen.push([intent.key, intent.state]);
    }
    const all = Array.from({ length: 501 }, (_none, at) => [`${account} ${at + 1}`, 'accepted']);
    expect(seen).toEqual(all);
    for await (const { intent } of reader.lives()) {
      expect(intent.state).toBe('rejected');
      break;
    }
    await database!.run(`UPDATE trimtab.intents SET state = 'denied' WHERE account = '${account}'`);
    expect((await reader.find({ limit: 1 })).items).toMatchObject([{ state: 'denied' }]);
    // The steps of what was retired went with it.
    await database!.run(
      `UPDATE trimtab.intents SET retired = true WHERE account = '${account}' AND id <= 102`,
    );
    expect((await reader.problems()).toSorted()).toEqual(
      [1, 2].map((n) => `steps of ${account} ${n} have no intent`),
    );
    await Promise.all([reader.close(), store.close()]);
  });

  test('a key’s start is what it says, whatever a pattern would make of it', async () => {
    const account = freshAccount();
    const store = await open(account);
    const journal = journalOn(store);
    for (const key of ['a_c', 'abc', 'a%', 'a%d']) await openIntent(journal, key, ['emitted']);
    const reader = await createPostgresReader({ url: database!.url, account });
    expect(await reader.keysLike('a_', 9)).toEqual(['a_c']);
    expect(await reader.keysLike('a%', 9)).toEqual(['a%d', 'a%']);
    expect(await reader.keysLike('a', 2)).toEqual(['a%d', 'a%']);
    await Promise.all([reader.close(), store.close()]);
  });

  test('after a start what ended in the last hour of market time has all its steps, the rest its last', async () => {
    const account = freshAccount();
    const store = await open(account);
    const MINUTE = 60_000;
    const ages = { old: 90, hour: 60, young: 59, newest: 0 };
    for (const [key, minutes] of Object.entries(ages))
      await openIntent(journalOn(store, (200 - minutes) * MINUTE), key, ['emitted', 'denied']);
    await store.close();
    const again = await open(account);
    const states = (key: string) => again.entries(key).map(({ state }) => state);
    for (const key of ['old', 'hour']) expect([key, states(key)]).toEqual([key, ['denied']]);
    for (const key of ['young', 'newest'])
      expect([key, states(key)]).toEqual([key, ['emitted', 'denied']]);
    await again.close();
  });

  test('accounts in one database are isolated', async () => {
    const [one, two] = [await open(freshAccount()), await open(freshAccount())];
    await openIntent(journalOn(one), 'a', ['emitted', 'guarded']);
    expect(two.holds('a')).toBe(false);
    await openIntent(journalOn(two), 'a', ['emitted', 'denied']);
    expect(one.stateOf('a')).toBe('guarded');
    await Promise.all([one.close(), two.close()]);
  });

  test('a reader reads what is of its own account, and of no other in the database', async () => {
    const { url } = database!;
    const accounts = [freshAccount(), freshAccount()] as const;
    for (const [at, account] of accounts.entries()) {
      const store = await open(account);
      await openIntent(journalOn(store, 1_000 + at), `key of ${at}`, ['emitted', 'guarded']);
      await store.setMeta('note', `fact of ${at}`);
      await store.setMeta(`only ${at}`, 'yes');
      await store.setLatch('kill', { value: `L${at + 1}`, reason: 'test', time: at });
      const step = { key: `monitor of ${at}`, wallTime: 1, marketTime: 1 };
      const answer = JSON.stringify({ record: { monitor_id: `mon-${at}` } });
      await store.append({
        intent: { ...rowOf(step.key), kind: 'create_monitor' },
        entries: [{ ...step, state: 'accepted', data: answer }],
      });
      await store.close();
      await database!.run(`UPDATE trimtab.accounts SET pid = ${at} WHERE account = '${account}'`);
    }
    for (const [at, account] of accounts.entries()) {
      const reader = await createPostgresReader({ url, account });
      const { writer, ...facts } = await reader.facts();
      expect(JSON.parse(writer!)).toMatchObject({ pid: at });
      expect(await reader.held(['mon-0', 'mon-1'])).toEqual(new Set([`mon-${at}`]));
      expect(facts).toEqual({ note: `fact of ${at}`, [`only ${at}`]: 'yes' });
      expect((await reader.latchChanges()).map(({ value }) => value)).toEqual([`L${at + 1}`]);
      const { items } = await reader.find({ limit: 9, kind: 'launch' });
      expect(items.map(({ key, opened }) => [key, opened])).toEqual([[`key of ${at}`, 1_000 + at]]);
      expect(await reader.keysLike('key', 9)).toEqual([`key of ${at}`]);
      expect(await reader.life(`key of ${1 - at}`)).toBeUndefined();
      await reader.close();
    }
  });

  /** Finished intents of an account, by one statement; each has the step that ended it. */
  async function addFinals(account: string, kinds: string, count: number): Promise<void> {
    await database!.run(
      `INSERT INTO trimtab.intents SELECT '${account}', n + 100, '${account} ' || n, 'd ' || n, 0, 'ema', 'main',
         ${kinds}, '{}', 'accepted', true, false, n, n FROM generate_series(1, ${count}) AS n;
       INSERT INTO trimtab.entries SELECT '${account}', n + 100, '${account} ' || n, 'accepted', n, n, 'answer ' || n
         FROM generate_series(1, ${count}) AS n;
       ANALYZE trimtab.intents`,
    );
  }

  // It stands armed, and carries no key of the bot's: only its answer tells that it is the bot's.
  test('a monitor is known after a start however many intents ended after it', async () => {
    const account = freshAccount();
    await (await open(account)).close();
    await addFinals(
      account,
      `CASE WHEN n IN (1, 3) THEN 'create_monitor' ELSE 'launch' END`,
      20_010,
    );
    await database!.run(
      `INSERT INTO trimtab.entries VALUES ('${account}', 1, '${account} 3', 'emitted', 1, 1, 'first')`,
    );
    const store = await open(account);
    const held = store.intents();
    expect(held).toHaveLength(20_002);
    expect(held.slice(0, 3).map(({ key }) => key)).toEqual(
      [1, 3, 11].map((n) => `${account} ${n}`),
    );
    expect(store.entries(`${account} 3`)).toMatchObject([{ state: 'accepted', data: 'answer 3' }]);
    await store.close();
  });

  test('of more than 10,000 monitors a compaction takes the oldest', async () => {
    const account = freshAccount();
    const store = await open(account);
    await addFinals(account, `CASE WHEN n = 9 THEN 'launch' ELSE 'create_monitor' END`, 10_006);
    expect([await store.compact({ olderThan: 3, limit: 100 })]).toEqual([2]);
    expect([
      await store.compact({ olderThan: 20_000 }),
      await store.compact({ olderThan: 20_000 }),
    ]).toEqual([4, 0]);
    const left = await database!.run(
      `SELECT min(id)::int - 100 AS oldest, count(*)::int AS n FROM trimtab.intents
       WHERE account = '${account}' AND NOT retired`,
    );
    expect(left).toEqual([{ oldest: 6, n: 10_000 }]);
    await store.close();
  });

  // Of older intents than it has in memory, an order may rest still.
  test('a key that it has not in memory is held once it was looked for', async () => {
    const [one, two] = [freshAccount(), freshAccount()];
    const [store, other] = [await open(one), await open(two)];
    await openIntent(journalOn(store), 'a', ['emitted', 'denied']);
    for (const [account, key] of [
      [one, 'old'],
      [two, 'foreign'],
    ])
      await database!.run(
        `INSERT INTO trimtab.intents VALUES ('${account}', 9999, '${key}', 'decision ${key}', 0, 'ema', 'main',
         'launch', '', 'accepted', true, true, 0, 0)`,
      );
    const keys = ['a', 'old', 'foreign', 'none'];
    expect(keys.filter(store.holds)).toEqual(['a']);
    await store.learn!(keys);
    expect(keys.filter(store.holds)).toEqual(['a', 'old']);
    expect(store.stateOf('old')).toBe('accepted');
    await Promise.all([store.close(), other.close()]);
  });

  test('tables of a later version are refused', async () => {
    await (await open(freshAccount())).close();
    await database!.run('UPDATE trimtab.schema_version SET version = 99');
    try {
      expect((await faultOf(() => open(freshAccount()))).code).toBe('version');
    } finally {
      await database!.run('UPDATE trimtab.schema_version SET version = 1');
    }
  });
});

test('a missing server is reported without a password, with a remedy', async () => {
  const url = 'postgres://bot:canary-7741@127.0.0.1:1/none';
  const fault = await faultOf(() => createPostgresStore({ url, account: 'a', env }));
  expect(fault.code).toBe('unreachable');
  expect(fault.message).toContain('postgres://bot@127.0.0.1:1/none');
  expect(`${fault.message} ${fault.stack}`).not.toContain('canary-7741');
});
