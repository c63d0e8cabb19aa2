import { reasonOf, withFullStop } from '../../env/index.ts';
import { JournalFault } from '../JournalFault.ts';
import { describeDatabase, withoutPassword } from '../describeDatabase.ts';
import { oneByOne } from './oneByOne.ts';
import type { PgClient } from './PgClient.ts';

export const CONNECT_TIMEOUT_MS = 5_000;
export const QUERY_TIMEOUT_MS = 10_000;

interface PgModule {
  Client: new (options: Record<string, unknown>) => PgClient;
}

export interface ConnectOptions {
  /** `postgres://user:password@host:port/database?sslmode=…` */
  url: string;
  /** Shown in `pg_stat_activity`. */
  name: string;
  /** A read of a whole journal may take longer than any write. */
  queryTimeoutMs?: number;
}

export type ConnectPg = (options: ConnectOptions) => Promise<PgClient>;

/**
 * What the server does about a host that vanished, so that it does not hold its lock for hours: it probes a connection
 * that is quiet, and gives up one on which an answer stays unacknowledged, which it does not probe. A server before
 * version 12 has no such limit and refuses its name, so that it is set only where there is one.
 */
const GIVE_UP_SILENT_PEER = `
  SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3;
  SELECT set_config('tcp_user_timeout', '20000', false) FROM pg_settings WHERE name = 'tcp_user_timeout'`;

/**
 * Opens one connection. A dead peer is detected within about 20 s by both sides, here by the time of a query, which is
 * then over: Node can't limit for how long what it sent stays unacknowledged.
 *
 * @throws JournalFault `unreachable`, without the password
 */
export async function connectPg({ url, name, queryTimeoutMs }: ConnectOptions): Promise<PgClient> {
  const { Client } = await loadPg();
  const client = new Client({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: queryTimeoutMs ?? QUERY_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
  });
  // Without a listener a lost connection would end the process; the next query reports it.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query({ text: GIVE_UP_SILENT_PEER });
    return oneByOne(client);
  } catch (error) {
    await client.end().catch(() => {});
    throw unreachable(error, url);
  }
}

/** An optional peer: only a bot whose journal is in PostgreSQL needs it. */
async function loadPg(): Promise<PgModule> {
  try {
    const loaded = (await import('pg')) as unknown as { default: PgModule };
    return loaded.default;
  } catch (cause) {
    throw new JournalFault(
      'unreachable',
      'A journal in PostgreSQL needs the package pg, which is not installed.\n  npm install pg@8',
      { cause },
    );
  }
}

export function unreachable(error: unknown, url: string): JournalFault {
  const reason = withoutPassword(reasonOf(error), url) || 'it does not answer';
  // The driver's error may contain the whole connection string, so it is no `cause`.
  return new JournalFault(
    'unreachable',
    `The database ${describeDatabase(url)} can't be used: ${withFullStop(reason)}\n  Check its address, that it runs, and the rights of that user.`,
  );
}
