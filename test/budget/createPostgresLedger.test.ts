import { connect, createServer } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { LedgerTurn } from '../../src/budget/index.ts';
import { createPostgresLedger } from '../../src/budget/createPostgresLedger.ts';
import { sha256 } from '../../src/env/index.ts';
import { connectPg } from '../../src/journal/postgres/index.ts';
import { findTestDatabase } from '../journal/findTestDatabase.ts';
import { SETTINGS } from './settings.ts';

const { database, missing } = await findTestDatabase();

describe.skipIf(database === undefined)(`over PostgreSQL${missing}`, () => {
  vi.setConfig({ testTimeout: 120_000 });

  test('a missing ledger at the start is refused', async () => {
    const url = 'postgres://postgres@127.0.0.1:1/none';
    await expect(createPostgresLedger({ url, key: 'k', member: 'm' })).rejects.toThrow(
      '127.0.0.1:1',
    );
  });

  const turnOf = (ordinary: number): LedgerTurn => ({
    ...SETTINGS,
    exitWeight: 0,
    needed: { urgent: 0, ordinary: 0 },
    spent: [],
    held: { urgent: 0, ordinary: 0 },
    wanted: { urgent: 0, ordinary },
  });

  const open = (): Promise<unknown> =>
    database!.run(`SELECT count(*)::int AS open FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'trimtab budget'`);

  /** The database's address by way of a proxy, which may change what a process says, or drop it. */
  async function by(pass: (bytes: Buffer) => Buffer | null): Promise<string> {
    const url = new URL(database!.url);
    const [host, port] = [url.hostname, Number(url.port || 5432)];
    const proxy = createServer((client) => {
      const upstream = connect(port, host);
      onTestFinished(() => void upstream.destroy());
      for (const socket of [client, upstream]) socket.on('error', () => {});
      upstream.pipe(client);
      client.on('data', (bytes) => {
        const passed = pass(bytes);
        if (passed !== null) upstream.write(passed);
      });
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void proxy.close());
    url.port = String((proxy.address() as { port: number }).port);
    return url.href;
  }

  test('a database that refuses the ledger keeps no connection', async () => {
    const url = new URL(database!.url);
    url.searchParams.set('options', '-c default_transaction_read_only=on');
    await expect(
      createPostgresLedger({ url: url.href, key: 'refused', member: 'm' }),
    ).rejects.toThrow('read-only');
    await expect.poll(open).toEqual([{ open: 0 }]);

    // Unlike the transaction before, what is left open here is not ended by the server after a while.
    const first = await createPostgresLedger({ url: database!.url, key: 'taken', member: 'm' });
    await first.close(turnOf(0));
    await database!.run(`ALTER TABLE trimtab.budgets
      ADD CONSTRAINT others_only CHECK (key <> '${sha256('refused')}')`);
    await expect(
      createPostgresLedger({ url: database!.url, key: 'refused', member: 'm' }),
    ).rejects.toThrow('others_only');
    await expect.poll(open, { timeout: 4_000 }).toEqual([{ open: 0 }]);
  });

  test('a connection that does not take its settings is not kept, at the start or later', async () => {
    let takes = false;
    const url = await by((bytes) =>
      takes ? bytes : Buffer.from(bytes.toString('latin1').replace('TO off', 'TO odd'), 'latin1'),
    );
    const options = { url, key: 'settings', member: 'm' };
    await expect(createPostgresLedger(options)).rejects.toThrow('synchronous_commit');
    await expect.poll(open, { timeout: 4_000 }).toEqual([{ open: 0 }]);

    takes = true;
    const ledger = await createPostgresLedger(options);
    takes = false;
    await database!.run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'trimtab budget'`);
    await expect(ledger.turn(turnOf(1))).rejects.toThrow();
    for (let turn = 0; turn < 3; turn++)
      await expect(ledger.turn(turnOf(1))).rejects.toThrow('synchronous_commit');
    await expect.poll(open, { timeout: 4_000 }).toEqual([{ open: 0 }]);
    takes = true;
    expect((await ledger.turn(turnOf(7))).held.ordinary).toBe(7);
    await ledger.close(turnOf(0));
  });

  test('a process that keeps the row keeps no connection of the others waiting', async () => {
    const ledger = await createPostgresLedger({ url: database!.url, key: 'kept', member: 'a' });
    await ledger.turn(turnOf(1));
    const keeper = await connectPg({ url: database!.url, name: 'keeper' });
    onTestFinished(() => keeper.end());
    await keeper.query({ text: 'BEGIN; SELECT state FROM trimtab.budgets FOR UPDATE' });
    for (let turn = 0; turn < 4; turn++)
      await expect(ledger.turn(turnOf(1))).rejects.toThrow('lock timeout');
    const [{ open: count }] = (await open()) as [{ open: number }];
    expect(count).toBeLessThanOrEqual(2);
    await keeper.query({ text: 'ROLLBACK' });
    expect((await ledger.turn(turnOf(7))).held.ordinary).toBe(7);
    await ledger.close(turnOf(0));
  });

  test('a process that stops in the middle of its turn loses the row', async () => {
    let isStopped = false;
    // What the process says after the row is its own does not arrive, and its connection stays.
    const url = await by((bytes) => {
      const passed = isStopped ? null : bytes;
      isStopped ||= bytes.includes('FOR UPDATE');
      return passed;
    });
    const stopped = await createPostgresLedger({ url, key: 'stopped', member: 'a' });
    await expect(stopped.turn(turnOf(1))).rejects.toThrow();
    const next = await createPostgresLedger({ url: database!.url, key: 'stopped', member: 'b' });
    await expect
      .poll(() => next.turn(turnOf(7)).catch(String), { timeout: 8_000 })
      .toMatchObject({ held: { ordinary: 7 } });
    await next.close(turnOf(0));
  });

  test('members may have any name, and each key has a ledger of its own', async () => {
    const names = ["o'brien's host:1", '$1 \\', "'; DROP TABLE trimtab.budgets; --"];
    const openLedger = async (key: string, member: string) => {
      const ledger = await createPostgresLedger({ url: database!.url, key, member });
      onTestFinished(() => ledger.close(turnOf(0)));
      return ledger;
    };
    const other = await openLedger('beside', 'm');
    await other.turn(turnOf(5));
    for (const [at, member] of names.entries()) {
      const ledger = await openLedger('names', member);
      const { held, members, outstanding } = await ledger.turn(turnOf(3));
      expect([held.ordinary, members, outstanding]).toEqual([3, at + 1, 3 * (at + 1)]);
    }
    expect(await other.turn(turnOf(6))).toMatchObject({ outstanding: 6, members: 1 });
  });

  test('a process ends soon although the database has gone', async () => {
    let isAway = false;
    const url = await by((bytes) => (isAway ? null : bytes));
    const ledger = await createPostgresLedger({ url, key: 'gone', member: 'm' });
    isAway = true;
    const begun = performance.now();
    await expect(ledger.close(turnOf(0))).resolves.toBeUndefined();
    // An answer is worth a second: what a turn grants is cut off after five.
    expect(performance.now() - begun).toBeLessThan(5_000);
  });

  test('turns of many connections come one after the other', async () => {
    const ledgers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((member) =>
        createPostgresLedger({ url: database!.url, key: 'turns', member }),
      ),
    );
    const base = { ...SETTINGS, exitWeight: 0, needed: { urgent: 0, ordinary: 0 } };
    const held = [0, 0, 0, 0];
    await Promise.all(
      ledgers.map(async (ledger, n) => {
        for (let round = 1; round <= 25; round++) {
          const own = { urgent: 0, ordinary: held[n]! };
          const wanted = { urgent: 0, ordinary: round * 20 };
          const answer = await ledger.turn({ ...base, spent: [], held: own, wanted });
          held[n] = answer.held.ordinary;
        }
      }),
    );
    const total = held.reduce((sum, one) => sum + one, 0);
    expect(total).toBeLessThanOrEqual(630);
    expect(total).toBeGreaterThan(600);
    const last = { ...base, spent: [], held: { urgent: 0, ordinary: 0 } };
    for (const ledger of ledgers) {
      await ledger.close({ ...last, wanted: { urgent: 0, ordinary: 0 } });
    }
  });
});
