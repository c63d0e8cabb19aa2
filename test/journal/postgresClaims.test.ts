import { randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createPostgresStore } from '../../src/journal/postgres/index.ts';
import { claimJournal, listJournals } from '../../src/journal/postgres/claimJournal.ts';
import { connectPg } from '../../src/journal/postgres/connectPg.ts';
import type { PgClient } from '../../src/journal/postgres/PgClient.ts';
import { createTables } from '../../src/journal/postgres/schema.ts';
import { database, env, faultOf, freshAccount, missing, open } from './postgresAccounts.ts';

/** What a start leaves in the database and on its connection, and whom the others see meanwhile. */

async function connect(name = 'trimtab tests'): Promise<PgClient> {
  const client = await connectPg({ url: database!.url, name });
  onTestFinished(() => client.end().catch(() => {}));
  return client;
}

const firstOf = async (client: PgClient, text: string): Promise<Record<string, unknown>> =>
  (await client.query({ text })).rows[0]!;

describe.skipIf(database === undefined)(`PostgreSQL${missing}`, () => {
  test('a journal that one start has chosen is there for the next, whether it has its lease or not', async () => {
    const [one, other] = [await connect(), await connect()];
    await createTables(one);
    const account = freshAccount();
    const chosen = await claimJournal(one, () => account);
    expect(chosen).toBe(account);
    const known = await listJournals(other);
    expect(known).toContainEqual({ key: account, account });
    const seen: string[] = [];
    await claimJournal(other, (all) => {
      seen.push(...all.map(({ key }) => key));
      return account;
    });
    expect(seen).toContain(account);
  });

  test('a choice that is refused leaves no transaction, and no lock for the next start', async () => {
    const [one, other] = [await connect(), await connect()];
    await createTables(one);
    const refuse = (): never => {
      throw new Error('none of them');
    };
    await expect(claimJournal(one, refuse)).rejects.toThrow('none of them');
    expect(await claimJournal(other, () => 'after-a-refusal')).toBe('after-a-refusal');
  });

  test('a start that is refused shows who holds the journal, and is not taken for that itself', async () => {
    const account = freshAccount();
    const store = await open(account);
    onTestFinished(() => store.close());
    const holder = `SELECT host, pid, token, since FROM trimtab.accounts WHERE account = '${account}'`;
    await database!.run(
      `UPDATE trimtab.accounts SET host = 'first.host', pid = 4711, since = now() - interval '100 s',
       seen = now() - interval '7 s' WHERE account = '${account}'`,
    );
    const before = await database!.run(holder);
    for (const choose of [undefined, () => account]) {
      const options = { url: database!.url, account, env, ...(choose && { choose }) };
      const fault = await faultOf(() => createPostgresStore(options));
      expect(fault.code).toBe('in_use');
      expect(fault.message).toContain('first.host, pid 4711, since 20');
      const [, silent] = /last heartbeat (\d+) s ago/.exec(fault.message)!;
      expect(Number(silent)).toBeGreaterThanOrEqual(7);
      expect(Number(silent)).toBeLessThan(60);
      expect(await database!.run(holder)).toEqual(before);
    }
  });

  test('a start that makes an index leaves neither its lock nor its time limit on the connection', async () => {
    const client = await connect();
    await createTables(client);
    for (const index of ['whole_intents', 'standing_intents']) {
      await database!.run(`DROP INDEX trimtab.${index}`);
      await createTables(client);
      const made = `SELECT to_regclass('trimtab.${index}') IS NOT NULL AS is_made`;
      expect(await firstOf(client, made)).toEqual({ is_made: true });
      expect(await firstOf(client, 'SHOW statement_timeout')).toEqual({ statement_timeout: '0' });
      const locks = `SELECT count(*)::int AS locks FROM pg_locks
        WHERE locktype = 'advisory' AND pid = pg_backend_pid()`;
      expect(await firstOf(client, locks)).toEqual({ locks: 0 });
    }
  });

  test('a connection says whose it is, and its limits hold for every statement', async () => {
    const client = await connect('trimtab of main');
    for (let statement = 0; statement < 2; statement++) {
      const shown = await firstOf(
        client,
        `SELECT current_setting('application_name') AS name,
          current_setting('tcp_user_timeout') AS answer, current_setting('tcp_keepalives_idle') AS idle`,
      );
      expect(shown).toEqual({ name: 'trimtab of main', answer: '20000', idle: '5' });
    }
  });

  test('a connection that may not be set up is ended, and a lost one that is idle ends nothing', async () => {
    const role = `trimtab_${randomUUID().replaceAll('-', '')}`;
    await database!.run(`CREATE ROLE ${role} LOGIN PASSWORD 'secret of it'`);
    await database!.run('REVOKE SELECT ON pg_settings FROM PUBLIC');
    onTestFinished(async () => {
      await database!.run('GRANT SELECT ON pg_settings TO PUBLIC');
      await database!.run(`DROP ROLE ${role}`);
    });
    const url = new URL(database!.url);
    [url.username, url.password] = [role, encodeURIComponent('secret of it')];
    const fault = await faultOf(() => connectPg({ url: url.href, name: 'trimtab tests' }));
    expect(fault.code).toBe('unreachable');
    expect(fault.message).toContain('pg_settings');
    expect(fault.message).not.toContain('secret');
    const left = `SELECT pid FROM pg_stat_activity WHERE usename = '${role}'`;
    await expect.poll(() => database!.run(left)).toEqual([]);

    const idle = await connect('trimtab idle');
    const ofIdle = `FROM pg_stat_activity WHERE application_name = 'trimtab idle'`;
    await database!.run(`SELECT pg_terminate_backend(pid) ${ofIdle}`);
    await expect.poll(() => database!.run(`SELECT pid ${ofIdle}`)).toEqual([]);
    // It is told of it by itself, before anything is asked.
    await new Promise((resolve) => setTimeout(resolve, 100));
    await expect(async () => firstOf(idle, 'SELECT 1')).rejects.toThrow();
  });
});
