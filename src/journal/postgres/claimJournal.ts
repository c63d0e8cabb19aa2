import { hostname } from 'node:os';
import type { ChooseJournal, KnownJournal } from '../KnownJournal.ts';
import { ACCOUNT } from '../requireAccount.ts';
import type { PgClient } from './PgClient.ts';

/** Only one process at a time may choose: two that begin at once must not both find that there is none. */
const LOCK = 'SELECT pg_advisory_xact_lock(7830916)';

export async function listJournals(client: Pick<PgClient, 'query'>): Promise<KnownJournal[]> {
  const { rows } = await client.query({
    text: `SELECT accounts.account AS key, coalesce(facts.value, accounts.account) AS account
      FROM trimtab.accounts LEFT JOIN trimtab.facts
        ON facts.account = accounts.account AND facts.key = '${ACCOUNT}'
      ORDER BY accounts.account`,
  });
  return rows.map(({ key, account }) => ({ key: String(key), account: String(account) }));
}

/**
 * Finds the journal to write, and lists it where it is new, so that others see it before its lease is taken.
 *
 * @throws what `choose` throws
 */
export async function claimJournal(client: PgClient, choose: ChooseJournal): Promise<string> {
  await client.query({ text: `BEGIN; ${LOCK}` });
  try {
    const key = choose(await listJournals(client));
    await client.query({
      text: `INSERT INTO trimtab.accounts (account, token, host, pid, since, seen)
        VALUES ($1, 0, $2, $3, now(), now()) ON CONFLICT (account) DO NOTHING`,
      values: [key, hostname(), process.pid],
    });
    await client.query({ text: 'COMMIT' });
    return key;
  } catch (error) {
    await client.query({ text: 'ROLLBACK' }).catch(() => {});
    throw error;
  }
}
