import { requireFields } from '../contract/failures/requireFields.ts';
import { sha256 } from '../env/index.ts';
import { connectPg, type PgClient, type PgResult } from '../journal/postgres/index.ts';
import type { BudgetLedger, LedgerAnswer } from './BudgetLedger.ts';
import { emptyLedger, leave, takeTurn, type LedgerState } from './takeTurn.ts';

export interface PostgresLedgerOptions {
  /** `postgres://user:password@host:port/database` */
  url: string;
  /** Names the key that is shared: the service's address and the key's id. Only its hash is stored. */
  key: string;
  /** Names this process among those that share it, such as host, pid and a random part. */
  member: string;
}

const SCHEMA = `BEGIN; SELECT pg_advisory_xact_lock(7830916);
CREATE SCHEMA IF NOT EXISTS trimtab;
CREATE TABLE IF NOT EXISTS trimtab.budgets (key text PRIMARY KEY, state text NOT NULL);
COMMIT`;

/** A turn is worth waiting for only as long as its grant is useful. */
const TURN_TIMEOUT_MS = 1_000;
/**
 * The server gives up before the process does: a process that ends its connection while the row is locked leaves a
 * session there that goes on waiting, and each further turn another one.
 */
const LOCK_TIMEOUT_MS = 500;
/** A process that stops in the middle of its turn, as a frozen one does, must not keep the row from all others. */
const IDLE_TIMEOUT_MS = 2_000;

/**
 * The ledger in PostgreSQL: one row a key, locked for each turn, with the database's times. A turn on a lost
 * connection is not repeated: the next one shows whether it was booked, by naming again what is held, and
 * counting spending twice is safer than never.
 *
 * ```ts
 * const { clock, timers } = createLiveEnv();
 * const ledger = await createPostgresLedger({ url, key: 'https://service.example vk_1', member: 'host:1' });
 * const now = () => clock.monotonicNow();
 * const shares = { share: 0.9, reserveShare: 0.3, reserveFloor: 20 };
 * const budget = await createSharedBudget({ ledger, timers, now, limit: 1_200, windowMs: 60_000, ...shares });
 * budget.members; // => 1
 * await budget.close();
 * ```
 */
export async function createPostgresLedger(options: PostgresLedgerOptions): Promise<BudgetLedger> {
  requireFields('createPostgresLedger', options, ['url', 'key', 'member']);
  const { url, member } = options;
  const key = sha256(options.key);
  let client: PgClient | undefined = await connect();
  const start = `INSERT INTO trimtab.budgets VALUES ('${key}', '${JSON.stringify(emptyLedger())}')
    ON CONFLICT DO NOTHING`;
  try {
    await client.query({ text: SCHEMA });
    await client.query({ text: start });
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }

  return {
    turn: (turn) => change((state, now) => takeTurn(state, member, turn, now)),
    async close(last) {
      await change((state, now) => leave(state, member, last, now)).catch(() => {});
      await client?.end().catch(() => {});
    },
  };

  async function connect(): Promise<PgClient> {
    const fresh = await connectPg({ url, name: 'trimtab budget', queryTimeoutMs: TURN_TIMEOUT_MS });
    try {
      await fresh.query({
        // What a crash of the database may lose is less than the service's margin.
        text: `SET synchronous_commit TO off; SET lock_timeout = ${LOCK_TIMEOUT_MS};
          SET idle_in_transaction_session_timeout = ${IDLE_TIMEOUT_MS}`,
      });
    } catch (error) {
      await fresh.end().catch(() => {});
      throw error;
    }
    return fresh;
  }

  /** Two round trips: the row is locked by the first, and released by the second. */
  async function change<T extends LedgerAnswer | void>(
    act: (state: LedgerState, now: number) => T,
  ): Promise<T> {
    try {
      client ??= await connect();
      const read = await client.query({
        text: `BEGIN; SELECT state FROM trimtab.budgets WHERE key = '${key}' FOR UPDATE;
          SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`,
      });
      const [, row, clock] = read as unknown as [PgResult, PgResult, PgResult];
      const state = JSON.parse(String(row.rows[0]!['state'])) as LedgerState;
      const answer = act(state, Number(clock.rows[0]!['now']));
      const text = JSON.stringify(state).replaceAll("'", "''");
      await client.query({
        text: `UPDATE trimtab.budgets SET state = '${text}' WHERE key = '${key}'; COMMIT`,
      });
      return answer;
    } catch (error) {
      const lost = client;
      client = undefined;
      await lost?.end().catch(() => {});
      throw error;
    }
  }
}
