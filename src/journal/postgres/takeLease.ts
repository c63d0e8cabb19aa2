import { hostname } from 'node:os';
import { JournalFault } from '../JournalFault.ts';
import type { PgClient } from './PgClient.ts';

/** PostgreSQL's code for a lock that was not granted in time. */
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * How long a lock may still be held by a process that has just died. The session keeps it for its statements: one that
 * waits for a table is tried again on the same connection, before the client takes it for a lost one.
 */
export const LOCK_TIMEOUT_MS = 2_000;

/**
 * Makes this connection the account's one writer. The lock belongs to the session: the server ends it with the
 * connection, so whoever writes on the connection holds the lock. The row beside it shows operators who that
 * is, and its token tells a writer that lost its connection whether another process has written since.
 *
 * @param token what this process held before its connection broke; undefined at its start
 * @returns the token
 * @throws JournalFault `in_use` or `lease_lost`, naming the holder
 */
export async function takeLease(
  client: PgClient,
  account: string,
  token?: bigint,
): Promise<bigint> {
  const isLocked = await lock(client, account);
  if (token === undefined) {
    if (isLocked) return grow(client, account);
    throw inUse(account, await holderOf(client, account));
  }
  const { rows } = await client.query({
    text: 'UPDATE trimtab.accounts SET seen = now() WHERE account = $1 AND token = $2 RETURNING 1',
    values: [account, token],
  });
  if (rows.length === 0) throw lost(account, await holderOf(client, account));
  if (isLocked) return token;
  throw new JournalFault('unreachable', `The server still holds this process's lost connection.`);
}

/** @returns false when another session has the lock, which may be this process's own lost one */
async function lock(client: PgClient, account: string): Promise<boolean> {
  try {
    await client.query({ text: `SET lock_timeout = ${LOCK_TIMEOUT_MS}` });
    await client.query({
      text: "SELECT pg_advisory_lock(hashtextextended('trimtab journal ' || $1, 0))",
      values: [account],
    });
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
}

async function grow(client: PgClient, account: string): Promise<bigint> {
  const { rows } = await client.query({
    text: `INSERT INTO trimtab.accounts AS held (account, token, host, pid, since, seen)
      VALUES ($1, 1, $2, $3, now(), now())
      ON CONFLICT (account) DO UPDATE SET token = held.token + 1, host = excluded.host,
        pid = excluded.pid, since = now(), seen = now()
      RETURNING token`,
    values: [account, hostname(), process.pid],
  });
  return BigInt(String(rows[0]!['token']));
}

/** The last writer, for display. */
export async function holderOf(client: Pick<PgClient, 'query'>, account: string): Promise<string> {
  const { rows } = await client.query({
    text: `SELECT host, pid, since, extract(epoch FROM now() - seen)::int AS silent
      FROM trimtab.accounts WHERE account = $1`,
    values: [account],
  });
  const [row] = rows;
  if (row === undefined) return 'another process';
  const since = (row['since'] as Date).toISOString();
  return `${String(row['host'])}, pid ${String(row['pid'])}, since ${since} (last heartbeat ${String(row['silent'])} s ago)`;
}

function inUse(account: string, holder: string): JournalFault {
  return new JournalFault(
    'in_use',
    `The account ${account} is in use by ${holder}.\n  Stop that one first; two writers would send twice.`,
  );
}

export function lost(account: string, holder: string): JournalFault {
  return new JournalFault(
    'lease_lost',
    `The account ${account} was taken over by ${holder}.\n  This process writes nothing more, and must send nothing more.`,
  );
}
