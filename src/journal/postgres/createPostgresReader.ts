import { requireFields } from '../../contract/failures/requireFields.ts';
import { JournalFault } from '../JournalFault.ts';
import type { IntentFilter, IntentLife, JournalReader, KnownIntent } from '../JournalReader.ts';
import type { JournalEntry, Latch } from '../JournalStore.ts';
import { goesOnIn } from '../compareAccounts.ts';
import { monitorIdsOf } from '../monitorIdsOf.ts';
import { journalNamed, type KnownJournal } from '../KnownJournal.ts';
import { listJournals } from './claimJournal.ts';
import { withFaults } from '../withFaults.ts';
import { connectPg, unreachable } from './connectPg.ts';
import { describeDatabase } from '../describeDatabase.ts';
import type { PgClient, PgResult } from './PgClient.ts';
import { hasTables, requireVersion } from './schema.ts';

const INTENT = `id, key, decision_key AS "decisionKey", generation, instance, wallet, kind, intent,
  state, opened, updated,
  (SELECT market_time FROM trimtab.entries WHERE entries.account = intents.account
    AND entries.key = intents.key ORDER BY seq LIMIT 1) AS "marketOpened"`;
const ENTRY = `key, state, wall_time AS "wallTime", market_time AS "marketTime", data`;
const MADE_MONITORS = `SELECT data FROM trimtab.intents JOIN trimtab.entries USING (account, key)
  WHERE account = $1 AND NOT retired AND kind = 'create_monitor' AND intents.state = 'accepted'
    AND entries.state = 'accepted'`;
const LIFE_PAGE = 500;
/** An interactive read may take longer than a bot's. */
const READ_TIMEOUT_MS = 120_000;

export interface PostgresReaderOptions {
  url: string;
  /** Required if the database holds the journals of several accounts. */
  account?: string;
}

type Row = KnownIntent & { id: string };

/**
 * Reads an account's journal in PostgreSQL; a bot may be writing it.
 *
 * ```ts
 * const store = await createPostgresStore({ url, account: 'paper:main', env: createLiveEnv() });
 * const reader = await createPostgresReader({ url, account: 'paper:main' });
 * const { items } = await reader.find({ limit: 10 });
 * items.length; // => 0
 * await reader.close();
 * await store.close();
 * ```
 *
 * @throws JournalFault `unreachable`, `version`, or `missing` with the existing accounts
 */
export async function createPostgresReader(options: PostgresReaderOptions): Promise<JournalReader> {
  requireFields('createPostgresReader', options, ['url']);
  const { url } = options;
  const toFault = (error: unknown): unknown =>
    error instanceof JournalFault ? error : unreachable(error, url);
  const name = 'trimtab journal';
  const client = await connectPg({ url, name, queryTimeoutMs: READ_TIMEOUT_MS });
  try {
    const account = await findAccount(client, options);
    // One snapshot for everything that is read, and a guarantee that nothing is written.
    await client.query({ text: 'SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY' });
    return withFaults(createReader(client, account), toFault);
  } catch (error) {
    await client.end().catch(() => {});
    throw toFault(error);
  }
}

async function findAccount(
  client: PgClient,
  { url, account }: PostgresReaderOptions,
): Promise<string> {
  const where = describeDatabase(url);
  if (!(await hasTables(client))) {
    throw new JournalFault('missing', `There is no journal in ${where}.`);
  }
  await requireVersion(client);
  const known = await listJournals(client);
  if (account === undefined && known.length === 1) return known[0]!.key;
  // A wallet may have come since this program read its configuration, or come with the bot's next start.
  const found = journalNamed(known, account) ?? nextOf(known, account);
  if (found !== undefined) return found.key;
  const accounts = known.map((journal) => journal.account);
  const held = accounts.length === 0 ? 'no account' : accounts.join(', ');
  const wanted = account === undefined ? 'several accounts' : `no account ${account}`;
  throw new JournalFault(
    'missing',
    `${where} holds ${wanted}; it has ${held}.\n  Name one: --account NAME`,
  );
}

/** The only journal in which an account goes on. */
function nextOf(
  known: readonly KnownJournal[],
  account: string | undefined,
): KnownJournal | undefined {
  if (account === undefined) return undefined;
  const next = known.filter((one) => goesOnIn(one.account, account));
  return next.length === 1 ? next[0] : undefined;
}

function createReader(client: PgClient, account: string): JournalReader {
  const read = async (text: string, ...values: unknown[]): Promise<PgResult['rows']> =>
    (await client.query({ text, values: [account, ...values] })).rows;

  const entriesOf = async (keys: readonly string[]): Promise<Map<string, JournalEntry[]>> => {
    const rows = (await read(
      `SELECT ${ENTRY} FROM trimtab.entries WHERE account = $1 AND key = ANY ($2) ORDER BY seq`,
      keys,
    )) as unknown as JournalEntry[];
    const found = new Map<string, JournalEntry[]>(keys.map((key) => [key, []]));
    for (const row of rows) found.get(row.key)!.push(row);
    return found;
  };
  const toIntent = ({ id: _id, ...intent }: Row): KnownIntent => intent;

  async function livesOf(rows: readonly Row[]): Promise<IntentLife[]> {
    const entries = await entriesOf(rows.map(({ key }) => key));
    return rows.map((row) => ({ intent: toIntent(row), entries: entries.get(row.key)! }));
  }

  return {
    async find(filter) {
      const { where, values } = conditions(filter);
      const text = `SELECT ${INTENT} FROM trimtab.intents WHERE account = $1 AND NOT retired ${where}
        ORDER BY id DESC LIMIT ${Math.trunc(filter.limit) + 1}`;
      const rows = (await read(text, ...values)) as unknown as Row[];
      const page = rows.slice(0, filter.limit);
      const next = rows.length > filter.limit ? page.at(-1)!.id : null;
      return { items: page.map(toIntent), next };
    },
    async keysLike(prefix, limit) {
      const rows = await read(
        `SELECT key FROM trimtab.intents WHERE account = $1 AND NOT retired
         AND left(key, length($2)) = $2 ORDER BY id DESC LIMIT $3`,
        prefix,
        limit,
      );
      return rows.map(({ key }) => String(key));
    },
    async life(key) {
      const text = `SELECT ${INTENT} FROM trimtab.intents
        WHERE account = $1 AND NOT retired AND key = $2`;
      const rows = (await read(text, key)) as unknown as Row[];
      return (await livesOf(rows))[0];
    },
    async held(keys) {
      const text = 'SELECT key FROM trimtab.intents WHERE account = $1 AND key = ANY ($2)';
      const found = new Set((await read(text, keys)).map(({ key }) => String(key)));
      if (keys.every((key) => found.has(key))) return found;
      const made = monitorIdsOf(await read(MADE_MONITORS));
      return new Set([...found, ...keys.filter((key) => made.has(key))]);
    },
    async latchChanges() {
      const text = `SELECT name, value, reason, time FROM trimtab.latches WHERE account = $1
        ORDER BY seq`;
      return (await read(text)) as unknown as Array<Latch & { name: string }>;
    },
    async facts() {
      const writer = await read(
        'SELECT host, pid, since, seen FROM trimtab.accounts WHERE account = $1',
      );
      const rows = await read(
        'SELECT key, value FROM trimtab.facts WHERE account = $1 ORDER BY key',
      );
      const facts = rows.map(({ key, value }) => [String(key), String(value)]);
      return { ...Object.fromEntries(facts), writer: JSON.stringify(writer[0] ?? null) };
    },
    async *lives() {
      await client.query({ text: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' });
      try {
        let after = '0';
        for (;;) {
          const rows = (await read(
            `SELECT ${INTENT} FROM trimtab.intents WHERE account = $1 AND NOT retired AND id > $2
             ORDER BY id LIMIT ${LIFE_PAGE}`,
            after,
          )) as unknown as Row[];
          yield* await livesOf(rows);
          if (rows.length < LIFE_PAGE) return;
          after = rows.at(-1)!.id;
        }
      } finally {
        await client.query({ text: 'ROLLBACK' });
      }
    },
    // The database's constraints ensure what a file must be searched for, except this.
    async problems() {
      const rows = await read(
        `SELECT DISTINCT key FROM trimtab.entries WHERE account = $1 AND NOT EXISTS
          (SELECT FROM trimtab.intents WHERE account = $1 AND intents.key = entries.key
           AND NOT retired) LIMIT 20`,
      );
      return rows.map(({ key }) => `steps of ${String(key)} have no intent`);
    },
    async retired() {
      const text = `SELECT count(*)::int AS n FROM trimtab.intents WHERE account = $1 AND retired`;
      return Number((await read(text))[0]?.['n']);
    },
    async hasRetired() {
      const text = `SELECT 1 FROM trimtab.intents WHERE account = $1 AND retired LIMIT 1`;
      return (await read(text)).length > 0;
    },
    close: () => client.end(),
  };
}

function conditions(filter: IntentFilter): { where: string; values: unknown[] } {
  const { states, instance, wallet, kind, since, until, cursor } = filter;
  const tests: Array<[text: string, value: unknown]> = [
    ['AND state = ANY (?)', states],
    ['AND instance = ?', instance],
    ['AND wallet = ?', wallet],
    ['AND kind = ?', kind],
    ['AND opened >= ?', since],
    ['AND opened < ?', until],
    ['AND id < ?', cursor],
  ];
  const given = tests.filter(([, value]) => value !== undefined);
  // $1 is the account.
  const where = given.map(([text], index) => text.replace('?', `$${index + 2}`)).join(' ');
  return { where, values: given.map(([, value]) => value) };
}
