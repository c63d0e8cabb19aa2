import { createServer, connect, Socket } from 'node:net';
import { hostname } from 'node:os';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { pause } from '../../src/env/index.ts';
import type { JournalFault } from '../../src/journal/index.ts';
import { createPostgresReader, createPostgresStore } from '../../src/journal/postgres/index.ts';
import { connectPg } from '../../src/journal/postgres/connectPg.ts';
import { COMPACT } from '../../src/journal/postgres/createPostgresStore.ts';
import { createWriterSession } from '../../src/journal/postgres/createWriterSession.ts';
import { loadAccount } from '../../src/journal/postgres/loadAccount.ts';
import { LOCK_TIMEOUT_MS } from '../../src/journal/postgres/takeLease.ts';
import type { PgClient, Statement } from '../../src/journal/postgres/PgClient.ts';
import { contentOf, journalOn, openIntent } from './journalRows.ts';
import { database, env, faultOf, freshAccount, missing, open } from './postgresAccounts.ts';
import { spawnScript } from './spawnScript.ts';

/** What a store has, the next one of its account has, too: the intents of these keys. */
async function expectPersisted(
  store: Awaited<ReturnType<typeof open>>,
  account: string,
  keys: readonly string[],
): Promise<void> {
  const before = contentOf(store);
  await store.close();
  const again = await open(account);
  expect(contentOf(again)).toEqual(before);
  expect(again.intents().map(({ key }) => key)).toEqual(keys);
  await again.close();
}

/** Finds an account's connection that waits for a lock. */
const waiting = (account: string) =>
  `SELECT pid FROM pg_stat_activity WHERE application_name = 'trimtab ${account}' AND wait_event_type = 'Lock'`;

/** A connection to the database that can be cut, with a log of its statements. */
async function openWire() {
  const sockets = new Set<Socket>();
  const target = new URL(database!.url);
  let isCut = false;
  let isSilent = false;
  let refused = 0;
  let cutAnswerTo: string | undefined;
  let cutBefore: string | undefined;
  const server = createServer((client) => {
    if (isCut) {
      refused++;
      return void client.destroy();
    }
    const upstream = connect(Number(target.port || 5432), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket
        .on('error', () => {})
        .on('close', () => {
          client.destroy();
          upstream.destroy();
          sockets.delete(socket);
        });
    }
    let isAsked = false;
    client.on('data', (bytes) => {
      if (isSilent) return;
      if (cutBefore !== undefined && bytes.includes(cutBefore)) {
        cutBefore = undefined;
        return void client.destroy();
      }
      isAsked ||= cutAnswerTo !== undefined && bytes.includes(cutAnswerTo);
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (!isAsked) return void client.write(bytes);
      cutAnswerTo = undefined;
      client.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = new URL(database!.url);
  url.port = String((server.address() as { port: number }).port);
  return {
    url: url.href,
    cut() {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend: () => void (isCut = false),
    /** As a firewall that drops: nothing arrives, and nothing ends. */
    silence: () => void (isSilent = true),
    /** Connections that failed on it. */
    refused: () => refused,
    /** The next statement that holds this text is executed, and its answer is lost. */
    loseAnswerTo: (text: string) => void (cutAnswerTo = text),
    /** The next statement that holds this text does not arrive. */
    loseQuestion: (text: string) => void (cutBefore = text),
  };
}

describe.skipIf(database === undefined)(`PostgreSQL${missing}`, () => {
  test('a reader whose connection is lost says which database it was, by each reading', async () => {
    const account = freshAccount();
    await (await open(account)).close();
    const wire = await openWire();
    const reader = await createPostgresReader({ url: wire.url, account });
    wire.cut();
    const readings = [
      () => reader.find({ limit: 1 }),
      () => reader.facts(),
      () => reader.problems(),
      () => reader.lives()[Symbol.asyncIterator]().next(),
    ];
    for (const reading of readings) {
      const fault = await faultOf(reading);
      expect(fault.code).toBe('unreachable');
      expect(fault.message).toContain("can't be used");
    }
    await reader.close().catch(() => {});
  });

  test('an account has one writer; a second one is refused with the holder', async () => {
    const account = freshAccount();
    const writer = spawnScript('journal/writePostgres.ts', [database!.url, account]);
    await writer.said(10);
    const fault = await faultOf(() => open(account));
    expect(fault.code).toBe('in_use');
    expect(fault.message).toContain(`${hostname()}, pid ${writer.child.pid}, since 20`);
    expect(fault.message).not.toContain('postgres://');
    await writer.end('SIGKILL');

    const store = await open(account);
    for (const key of writer.lines.slice(1)) expect(store.holds(key), key).toBe(true);
    await store.close();
  });

  test('an append with a lost answer is found on the next connection, not repeated', async () => {
    const account = freshAccount();
    const wire = await openWire();
    const store = await open(account, { url: wire.url });
    const journal = journalOn(store);
    await openIntent(journal, 'a', ['emitted', 'guarded']);
    wire.loseAnswerTo('lost-answer');
    await openIntent(journal, 'lost-answer', ['emitted', 'guarded', 'sending']);
    await journal.record('lost-answer', [{ state: 'accepted' }]);
    const rows = await database!.run(
      `SELECT state FROM trimtab.entries WHERE account = '${account}' AND key = 'lost-answer' ORDER BY seq`,
    );
    expect(rows.map(({ state }) => state)).toEqual(['emitted', 'guarded', 'sending', 'accepted']);
    await store.close();
  });

  test.each(['loseAnswerTo', 'loseQuestion'] as const)(
    'a value that replaces another one is there once, whatever was lost of it: %s',
    async (lose) => {
      const account = freshAccount();
      const wire = await openWire();
      const store = await open(account, { url: wire.url });
      const latch = (value: string) => ({ value, reason: 'test', time: 1 });
      const kinds: Readonly<
        Record<string, readonly [write: (v: string) => unknown, table: string]>
      > = {
        state: [(value) => store.writeState('ema', value), 'strategy_states'],
        fact: [(value) => store.setMeta('owner', value), 'facts'],
        latch: [(value) => store.setLatch('kill', latch(value)), 'latches'],
      };
      for (const [kind, [write, table]] of Object.entries(kinds)) {
        await write(`first ${kind}`);
        wire[lose](`second ${kind}`);
        await write(`second ${kind}`);
        const rows = await database!.run(
          `SELECT * FROM trimtab.${table} WHERE account = '${account}'`,
        );
        const values = rows.map((row) => JSON.stringify(row));
        const of = (text: string): number => values.filter((value) => value.includes(text)).length;
        expect([kind, of(`second ${kind}`)]).toEqual([kind, 1]);
        // Latches are listed; of the others only the last value is there.
        expect([kind, of(`first ${kind}`)]).toEqual([kind, kind === 'latch' ? 1 : 0]);
      }
      await store.writeState('ema', 'third');
      await store.close();
      const again = await open(account);
      expect(again.readState('ema')).toBe('third');
      expect(again.meta('owner')).toBe('second fact');
      expect(again.latch('kill')?.value).toBe('second latch');
      await again.close();
    },
  );

  test('a broken connection is restored, and no waiting append is lost', async () => {
    const account = freshAccount();
    const wire = await openWire();
    const store = await open(account, { url: wire.url });
    const journal = journalOn(store);
    await openIntent(journal, 'a', ['emitted']);
    wire.cut();
    const waiting = ['b', 'c', 'd'].map((key) => openIntent(journal, key, ['emitted', 'guarded']));
    wire.mend();
    await Promise.all(waiting);
    const before = contentOf(store);
    await store.close();
    const again = await open(account);
    expect(contentOf(again)).toEqual(before);
    await again.close();
  });

  test('a store whose account was taken over while disconnected writes nothing more', async () => {
    const account = freshAccount();
    const wire = await openWire();
    let reported = 0;
    const first = await open(account, { url: wire.url, onLost: () => reported++ });
    const journal = journalOn(first);
    await openIntent(journal, 'a', ['emitted', 'guarded']);
    wire.cut();
    const second = await open(account);
    wire.mend();
    const fault = await faultOf(() => journal.record('a', [{ state: 'sending' }]));
    expect(fault.code).toBe('lease_lost');
    expect(fault.message).toContain(hostname());
    expect(reported).toBe(1);
    expect((await faultOf(() => openIntent(journal, 'b', ['emitted']))).code).toBe('broken');
    expect([second.stateOf('a'), second.holds('b')]).toEqual(['guarded', false]);
    await openIntent(journalOn(second), 'c', ['emitted']);
    await Promise.all([first.close(), second.close()]);
    const rows = await database!.run(
      `SELECT key FROM trimtab.intents WHERE account = '${account}' ORDER BY id`,
    );
    expect(rows.map(({ key }) => key)).toEqual(['a', 'c']);
  });

  test('an older token writes nothing, even on a healthy connection', async () => {
    const account = freshAccount();
    const store = await open(account);
    const journal = journalOn(store);
    await openIntent(journal, 'a', ['emitted', 'guarded']);
    await database!.run(
      `UPDATE trimtab.accounts SET token = token + 1 WHERE account = '${account}'`,
    );
    const fault = await faultOf(() => journal.record('a', [{ state: 'sending' }]));
    expect(fault.code).toBe('lease_lost');
    await store.close();
    const again = await open(account);
    expect(again.stateOf('a')).toBe('guarded');
    await again.close();
  });

  test('gives up on an unreachable database, and reports it without a password', async () => {
    const wire = await openWire();
    const url = new URL(wire.url);
    url.password = 'canary-7741';
    const store = await createPostgresStore({
      url: url.href,
      account: freshAccount(),
      env,
      giveUpAfterMs: 200,
    });
    wire.cut();
    const fault = await faultOf(() => openIntent(journalOn(store), 'a', ['emitted']));
    expect(fault.code).toBe('unreachable');
    expect(`${fault.message} ${String(fault.cause)} ${fault.stack}`).not.toContain('canary-7741');
    expect(store.holds('a')).toBe(false);
    await store.close();
  });

  describe('an outage in which nothing is written', () => {
    const giveUpAfterMs = 200;
    /** The heartbeat of five seconds comes at once. */
    const after: typeof env.timers.after = (ms, run) =>
      env.timers.after(ms === 5_000 ? 20 : ms, run);
    const beating = { ...env, timers: { ...env.timers, after } };
    /** Cut for longer than a write would have waited. */
    async function openCut(onLost: (fault: JournalFault) => void = () => {}) {
      const account = freshAccount();
      const wire = await openWire();
      const options = { url: wire.url, account, env: beating, giveUpAfterMs, onLost };
      const store = await createPostgresStore(options);
      await openIntent(journalOn(store), 'a', ['emitted', 'guarded']);
      wire.cut();
      await expect.poll(() => wire.refused()).toBeGreaterThan(3);
      await pause(env.timers, giveUpAfterMs);
      const before = wire.refused();
      await expect.poll(() => wire.refused(), { timeout: 5_000 }).toBeGreaterThan(before);
      return { account, wire, store };
    }

    test('is over when the database is back, however long it took', async () => {
      const { account, wire, store } = await openCut();
      wire.mend();
      await openIntent(journalOn(store), 'b', ['emitted', 'guarded']);
      await store.close();
      const again = await open(account);
      expect(again.intents().map(({ key }) => key)).toEqual(['a', 'b']);
      await again.close();
    });

    test('ends with the first write that has waited for too long', async () => {
      const { wire, store } = await openCut();
      const since = performance.now();
      const fault = await faultOf(() => openIntent(journalOn(store), 'b', ['emitted']));
      expect(fault.code).toBe('unreachable');
      expect(performance.now() - since).toBeGreaterThanOrEqual(giveUpAfterMs);
      wire.mend();
      expect((await faultOf(() => openIntent(journalOn(store), 'c', ['emitted']))).code).toBe(
        'broken',
      );
      await store.close();
    });

    test('is none of the account: one that was taken meanwhile is reported', async () => {
      const lost: string[] = [];
      const { account, wire, store } = await openCut(({ code }) => void lost.push(code));
      const second = await open(account);
      wire.mend();
      await expect.poll(() => lost, { timeout: 5_000 }).toEqual(['lease_lost']);
      await Promise.all([store.close(), second.close()]);
    });
  });

  test('each outage has its own time: one that was mended does not count towards the next', async () => {
    const account = freshAccount();
    const wire = await openWire();
    const giveUpAfterMs = 1_000;
    const store = await createPostgresStore({ url: wire.url, account, env, giveUpAfterMs });
    const journal = journalOn(store);
    for (const key of ['a', 'b']) {
      wire.cut();
      const before = wire.refused();
      const written = openIntent(journal, key, ['emitted', 'guarded']);
      await expect.poll(() => wire.refused(), { interval: 5 }).toBeGreaterThan(before);
      wire.mend();
      await written;
      await pause(env.timers, giveUpAfterMs);
    }
    expect(store.intents().map(({ key }) => key)).toEqual(['a', 'b']);
    await store.close();
  });

  describe('tables that something else has locked, as a REINDEX does', () => {
    /** @returns unlocks them */
    async function lockTables(): Promise<() => Promise<unknown>> {
      const client = await connectPg({ url: database!.url, name: 'trimtab tests' });
      onTestFinished(() => client.end());
      await client.query({
        text: 'BEGIN; LOCK TABLE trimtab.intents, trimtab.latches IN ACCESS EXCLUSIVE MODE',
      });
      return () => client.query({ text: 'COMMIT' });
    }

    test('are waited for, past the time of a lock and a cancelled statement', async () => {
      const account = freshAccount();
      const store = await open(account);
      const journal = journalOn(store);
      await openIntent(journal, 'a', ['emitted']);
      const unlock = await lockTables();
      const writes = Promise.all([
        openIntent(journal, 'b', ['emitted', 'guarded']),
        openIntent(journal, 'c', ['emitted', 'guarded']),
        store.setLatch('kill', { value: 'L1', reason: 'test', time: 1 }),
      ]);
      const isWaiting = async () => (await database!.run(waiting(account))).length;
      await expect.poll(isWaiting).toBe(1);
      await database!.run(`SELECT pg_cancel_backend(pid) FROM (${waiting(account)}) AS found`);
      await pause(env.timers, LOCK_TIMEOUT_MS + 500);
      await unlock();
      await writes;
      await expectPersisted(store, account, ['a', 'b', 'c']);
    });

    test('end a journal that has waited for too long, within that time', async () => {
      const giveUpAfterMs = LOCK_TIMEOUT_MS * 2.5;
      const { url } = database!;
      const store = await createPostgresStore({ url, account: freshAccount(), env, giveUpAfterMs });
      const unlock = await lockTables();
      const since = performance.now();
      const journal = journalOn(store);
      const writes = ['a', 'b'].map((key) => faultOf(() => openIntent(journal, key, ['emitted'])));
      const faults = await Promise.all([
        ...writes,
        faultOf(() => store.setLatch('kill', { value: 'L1', reason: 'test', time: 1 })),
      ]);
      const waitedMs = performance.now() - since;
      expect(waitedMs).toBeGreaterThanOrEqual(LOCK_TIMEOUT_MS * 1.5);
      expect(waitedMs).toBeLessThan(giveUpAfterMs);
      expect(faults.map(({ code }) => code)).toEqual(['unreachable', 'unreachable', 'unreachable']);
      expect(faults[0]!.message).toContain('its tables are locked');
      expect(faults[0]!.message).toContain('pg_locks');
      await unlock();
      expect((await faultOf(() => openIntent(journal, 'c', ['emitted']))).code).toBe('broken');
      await store.close();
    });
  });

  describe.each([
    ['a server that was demoted', '25006', "can't be used: demoted"],
    ['a full disk', '53100', "can't be written: it lacks room (demoted)"],
    ['a full memory', '53200', "can't be written: it lacks room (demoted)"],
  ])('%s', (_what, code, message) => {
    /** Each append of the account is refused so. @returns ends that */
    async function refuseAppends(account: string): Promise<() => Promise<unknown>> {
      const name = `refuse_${account.replace('-', '_')}`;
      await database!.run(
        `CREATE FUNCTION trimtab.${name}() RETURNS trigger LANGUAGE plpgsql AS ` +
          `$$ BEGIN RAISE EXCEPTION 'demoted' USING ERRCODE = '${code}'; END $$`,
      );
      await database!.run(
        `CREATE TRIGGER ${name} BEFORE INSERT ON trimtab.intents FOR EACH ROW ` +
          `WHEN (NEW.account = '${account}') EXECUTE FUNCTION trimtab.${name}()`,
      );
      return () => database!.run(`DROP FUNCTION trimtab.${name} CASCADE`);
    }

    test('is waited for, and nothing is lost', async () => {
      const account = freshAccount();
      const store = await open(account);
      const journal = journalOn(store);
      await openIntent(journal, 'a', ['emitted']);
      const allow = await refuseAppends(account);
      const writes = ['b', 'c'].map((key) => openIntent(journal, key, ['emitted', 'guarded']));
      await pause(env.timers, 300);
      await allow();
      await Promise.all(writes);
      await expectPersisted(store, account, ['a', 'b', 'c']);
    });

    test('ends a journal that has waited for too long', async () => {
      const account = freshAccount();
      const { url } = database!;
      const giveUpAfterMs = LOCK_TIMEOUT_MS + 300;
      const store = await createPostgresStore({ url, account, env, giveUpAfterMs });
      const allow = await refuseAppends(account);
      onTestFinished(() => allow().then(() => {}));
      const fault = await faultOf(() => openIntent(journalOn(store), 'a', ['emitted']));
      expect(fault).toMatchObject({ code: 'unreachable' });
      expect(fault.message).toContain(message);
      await store.close();
    });
  });

  test('gives up after half a minute, unless told otherwise', async () => {
    const wire = await openWire();
    // A pause takes its time of the clock at once; the heartbeat does not come.
    let now = 0;
    const clock = { ...env.clock, monotonicNow: () => now };
    const after: typeof env.timers.after = (ms, run) => {
      if (ms === 5_000) return () => {};
      return env.timers.after(0, () => {
        now += ms;
        run();
      });
    };
    const hasty = { ...env, clock, timers: { ...env.timers, after } };
    const store = await createPostgresStore({
      url: wire.url,
      account: freshAccount(),
      env: hasty,
    });
    wire.cut();
    const fault = await faultOf(() => openIntent(journalOn(store), 'a', ['emitted']));
    expect(fault.code).toBe('unreachable');
    expect(now).toBeGreaterThanOrEqual(30_000);
    // The longest pause between two attempts is two seconds.
    expect(now).toBeLessThan(32_000);
    await store.close();
  });

  test('a connection that is half open is noticed from both sides', async () => {
    const wire = await openWire();
    const keepAlive = vi.spyOn(Socket.prototype, 'setKeepAlive');
    onTestFinished(() => keepAlive.mockRestore());
    const client = await connectPg({ url: wire.url, name: 'trimtab tests' });
    onTestFinished(() => client.end());
    expect(keepAlive.mock.calls).toEqual([[true, 5_000]]);
    const show = async (name: string) => {
      const { rows } = await client.query({ text: `SHOW tcp_keepalives_${name}` });
      return Number(rows[0]![`tcp_keepalives_${name}`]);
    };
    const [idle, interval, count] = [
      await show('idle'),
      await show('interval'),
      await show('count'),
    ];
    expect(idle + interval * count).toBeLessThanOrEqual(20);
    // 0 is the system's own, which is hours.
    expect(Math.min(idle, interval, count)).toBeGreaterThan(0);
    // Probes are not sent while an answer is unacknowledged: the system then tries for a quarter of an hour.
    const { rows } = await client.query({
      text: `SELECT setting::int AS ms FROM pg_settings WHERE name = 'tcp_user_timeout'`,
    });
    expect(Number(rows[0]!['ms'])).toBe(20_000);
  });

  test.each([
    [10_000, {}],
    [25_000, { queryTimeoutMs: 25_000 }],
  ])('an answer that does not come is waited for %i ms: %o', async (waitedMs, options) => {
    const wire = await openWire();
    const client = await connectPg({ url: wire.url, name: 'trimtab tests', ...options });
    onTestFinished(() => client.end().catch(() => {}));
    wire.silence();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    let failed: unknown;
    const asked = client.query({ text: 'SELECT 1' }).catch((error: unknown) => (failed = error));
    await vi.advanceTimersByTimeAsync(waitedMs - 1);
    expect(failed).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(failed).toMatchObject({ message: expect.stringContaining('timeout') });
    await asked;
    wire.cut();
  });

  test('closing during a reconnect leaves no connection that holds the account', async () => {
    const account = freshAccount();
    const wire = await openWire();
    const session = await createWriterSession({
      connect: connectPg,
      url: wire.url,
      account,
      env,
      synchronous: true,
      giveUpAfterMs: 10_000,
      onLost: () => expect.fail('nobody took the account'),
    });
    wire.cut();
    const asked = session.run({ text: 'SELECT 1' });
    // The first attempt at coming back has failed, the next one waits.
    await expect.poll(() => wire.refused()).toBeGreaterThan(0);
    await session.close();
    wire.mend();
    await asked.catch(() => {});
    await (await open(account)).close();
  });

  test('appends faster than the database are grouped, in order', async () => {
    const account = freshAccount();
    const store = await open(account);
    const journal = journalOn(store);
    const keys = Array.from({ length: 500 }, (_, n) => `key-${n}`);
    await Promise.all(
      keys.flatMap((key) => [
        openIntent(journal, key, ['emitted', 'guarded']),
        Promise.resolve(journal.record(key, [{ state: 'sending' }])),
      ]),
    );
    // One among them that the database has already, unknown to this process, fails alone.
    await database!.run(
      `INSERT INTO trimtab.intents SELECT account, 9999, 'elsewhere', 'decision elsewhere', 0, instance,
       wallet, kind, intent, 'denied', true, false, 0, 0 FROM trimtab.intents
       WHERE account = '${account}' AND key = 'key-0'`,
    );
    const results = await Promise.allSettled([
      openIntent(journal, 'x', ['emitted']),
      openIntent(journal, 'y', ['emitted']),
      openIntent(journal, 'elsewhere', ['emitted']),
      openIntent(journal, 'z', ['emitted']),
    ]);
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    const steps = await database!.run(
      `SELECT count(*)::int AS n FROM trimtab.entries WHERE account = '${account}'`,
    );
    expect(steps).toEqual([{ n: 500 * 3 + 3 }]);
    expect(store.intents()).toHaveLength(503);
    await store.close();
  });

  describe('what was retired', () => {
    type Plan = Record<string, unknown> & { Plans?: Plan[] };
    /** Rows of intents that a plan has read, whether it used them or not. */
    function rowsRead(plan: Plan): number {
      const below = (plan.Plans ?? []).reduce((sum, one) => sum + rowsRead(one), 0);
      if (plan['Relation Name'] !== 'intents' || plan['Node Type'] === 'ModifyTable') return below;
      const { 'Actual Rows': used, 'Rows Removed by Filter': removed = 0 } = plan;
      return below + (Number(used) + Number(removed)) * Number(plan['Actual Loops']);
    }
    const RETIRED = 20_000;

    /** An account with many retired intents, thirty that are final, and one that is open. */
    async function fill(): Promise<{ account: string; client: PgClient }> {
      const account = freshAccount();
      const store = await open(account);
      await openIntent(journalOn(store), 'open', ['emitted', 'guarded']);
      await store.close();
      await database!.run(
        `INSERT INTO trimtab.intents SELECT '${account}', n + 1, '${account} ' || n, 'd ' || n, 0, 'ema', 'main',
           'launch', '', 'denied', true, n <= ${RETIRED}, n, n FROM generate_series(1, ${RETIRED} + 30) AS n;
         ANALYZE trimtab.intents`,
      );
      const client = await connectPg({ url: database!.url, name: 'trimtab tests' });
      onTestFinished(() => client.end());
      return { account, client };
    }
    async function explain(client: PgClient, { text, values }: Statement): Promise<number> {
      await client.query({ text: 'BEGIN' });
      const explained = {
        text: `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
        ...(values && { values }),
      };
      const { rows } = await client.query(explained);
      await client.query({ text: 'ROLLBACK' });
      return rowsRead((rows[0]!['QUERY PLAN'] as Array<{ Plan: Plan }>)[0]!.Plan);
    }

    test('is not read again by a compaction, nor by a start except for its keys', async () => {
      const { account, client } = await fill();
      const read = await explain(client, { text: COMPACT, values: [account, 1e12, 10] });
      expect(read).toBeLessThan(100);
      const reads: Array<[text: string, count: number]> = [];
      const session = {
        async run(statement: Statement) {
          const { text } = statement;
          if (text.includes('trimtab.intents'))
            reads.push([text, await explain(client, statement)]);
          return client.query(statement);
        },
      };
      const { held } = await loadAccount(session, account);
      expect(held.rows()).toHaveLength(31);
      const wide = reads.filter(([, count]) => count > 200);
      expect(wide.map(([text]) => text.slice(0, 17))).toEqual(['SELECT key, state']);
    });

    const INDEXES = ['whole_intents', 'standing_intents'];
    test.each(
      INDEXES.flatMap((index) => [
        { index, is: 'is missing', prepare: `DROP INDEX trimtab.${index}` },
        {
          index,
          is: 'is half made',
          prepare: `UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'trimtab.${index}'::regclass`,
        },
      ]),
    )(
      'has its index $index made while other bots write, where it $is',
      async ({ index, prepare }) => {
        const [one, two] = [freshAccount(), freshAccount()];
        const store = await open(one);
        await database!.run(prepare);
        const writer = await connectPg({ url: database!.url, name: 'trimtab tests' });
        onTestFinished(() => writer.end());
        await writer.query({ text: 'BEGIN; LOCK TABLE trimtab.intents IN ROW EXCLUSIVE MODE' });
        const starting = open(two);
        const isMaking = async () => (await database!.run(waiting(two))).length;
        await expect.poll(isMaking).toBe(1);
        await openIntent(journalOn(store), 'a', ['emitted', 'guarded']);
        expect(await isMaking()).toBe(1);
        await writer.query({ text: 'COMMIT' });
        await Promise.all([store.close(), starting.then((started) => started.close())]);
        const found = `SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('trimtab.${index}')`;
        expect(await database!.run(found)).toEqual([{ indisvalid: true }]);
      },
    );

    test('has its index in a database that an earlier version made, once its writer has the right', async () => {
      const account = freshAccount();
      await (await open(account)).close();
      await database!.run(
        `DROP INDEX trimtab.whole_intents; DROP ROLE IF EXISTS trimtab_plain; CREATE ROLE trimtab_plain LOGIN;
         GRANT USAGE ON SCHEMA trimtab TO trimtab_plain;
         GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA trimtab TO trimtab_plain`,
      );
      const found = () =>
        database!.run("SELECT to_regclass('trimtab.whole_intents')::text AS name");
      const plain = new URL(database!.url);
      plain.username = 'trimtab_plain';
      const store = await open(account, { url: plain.href });
      await openIntent(journalOn(store), 'a', ['emitted', 'guarded']);
      await store.close();
      expect(await found()).toEqual([{ name: null }]);
      await (await open(account)).close();
      expect(await found()).toEqual([{ name: 'trimtab.whole_intents' }]);
      await database!.run('DROP OWNED BY trimtab_plain; DROP ROLE trimtab_plain');
    });
  });
});
