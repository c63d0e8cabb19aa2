import { HOUR_MS } from '../../contract/durations.ts';
import type { IntentState } from '../IntentState.ts';
import type { IntentRow, JournalEntry, Latch } from '../JournalStore.ts';
import { MOST_STANDING, STAYS_WHOLE } from '../staysWhole.ts';
import { createHeld, KNOWN_KEYS, WHOLE_FINALS, type Held } from './createHeld.ts';
import type { WriterSession } from './createWriterSession.ts';
import type { PgResult } from './PgClient.ts';

export interface LoadedAccount {
  held: Held;
  states: Map<string, string>;
  facts: Map<string, string>;
  latches: Map<string, Latch>;
  nextId: number;
  nextSeq: number;
  nextLatch: number;
}

const INTENT = `key, decision_key AS "decisionKey", generation, instance, wallet, kind, intent, state`;
const ENTRY = `key, state, wall_time AS "wallTime", market_time AS "marketTime", data`;

type Row = IntentRow & { state: IntentState };

/**
 * Reads what the process will need while it runs: all that is open, the newest of the rest, of which the last
 * hour's steps are whole and of the others the last one is held, and the older ones that stay whole.
 */
export async function loadAccount(
  session: Pick<WriterSession, 'run'>,
  account: string,
): Promise<LoadedAccount> {
  const read = async (text: string, ...values: unknown[]): Promise<PgResult['rows']> =>
    (await session.run({ text, values: [account, ...values] })).rows;
  const held = createHeld();
  const newest = (columns: string): string => `SELECT ${columns} FROM trimtab.intents
    WHERE account = $1 AND final AND NOT retired ORDER BY id DESC LIMIT $2`;
  // Two reads by an index each; as one condition they would be a read of all that was ever retired.
  const open = `SELECT id, ${INTENT} FROM trimtab.intents WHERE account = $1 AND NOT final`;

  const known = await read(
    `SELECT key, state FROM trimtab.intents WHERE account = $1 AND final ORDER BY id DESC LIMIT $2`,
    KNOWN_KEYS,
  );
  for (const { key, state } of known.toReversed()) held.loadKey(String(key), state as IntentState);
  const recentRows = await read(`(${open}) UNION ALL (${newest(`id, ${INTENT}`)})`, WHOLE_FINALS);
  const among = new Set(recentRows.map(({ key }) => key));
  const standing = await read(
    `SELECT id, ${INTENT} FROM trimtab.intents WHERE account = $1 AND ${STAYS_WHOLE} AND NOT retired
     ORDER BY id DESC LIMIT $2`,
    MOST_STANDING,
  );
  const older = standing.filter(({ key }) => !among.has(key));
  const rows = [...older, ...recentRows].toSorted((a, b) => Number(a['id']) - Number(b['id']));
  const steps = new Map<string, JournalEntry[]>();
  const ofOpen = (await read(`SELECT ${ENTRY} FROM trimtab.entries WHERE account = $1 AND key IN
      (SELECT key FROM trimtab.intents WHERE account = $1 AND NOT final) ORDER BY seq`)) as unknown as JournalEntry[];
  const last = (await read(
    `SELECT key, state, "wallTime", "marketTime", data FROM (${newest('key AS intent')}) AS new, LATERAL
      (SELECT ${ENTRY}, seq FROM trimtab.entries WHERE account = $1 AND entries.key = new.intent
       ORDER BY seq DESC LIMIT 1) AS last ORDER BY seq`,
    WHOLE_FINALS,
  )) as unknown as JournalEntry[];
  const ofStanding = (await read(
    `SELECT DISTINCT ON (key) ${ENTRY} FROM trimtab.entries WHERE account = $1 AND key = ANY($2)
     ORDER BY key, seq DESC`,
    older.map(({ key }) => key),
  )) as unknown as JournalEntry[];
  const recent = keysOfLastHour(last);
  const ofRecent = (await read(
    `SELECT ${ENTRY} FROM trimtab.entries WHERE account = $1 AND key = ANY($2) ORDER BY seq`,
    [...recent],
  )) as unknown as JournalEntry[];
  const ofOthers = last.filter(({ key }) => !recent.has(key));
  for (const entry of [...ofOpen, ...ofStanding, ...ofOthers, ...ofRecent])
    steps.set(entry.key, [...(steps.get(entry.key) ?? []), entry]);
  for (const { id: _id, ...row } of rows as unknown as Array<Row & { id: string }>)
    held.load(row, steps.get(row.key) ?? []);

  const after = async (table: string, column: string): Promise<number> => {
    const [row] = await read(
      `SELECT coalesce(max(${column}), 0) AS last FROM trimtab.${table} WHERE account = $1`,
    );
    return Number(row!['last']) + 1;
  };
  return {
    held,
    states: toMap(
      await read(
        'SELECT instance AS key, state AS value FROM trimtab.strategy_states WHERE account = $1',
      ),
    ),
    facts: toMap(await read('SELECT key, value FROM trimtab.facts WHERE account = $1')),
    latches: await loadLatches(read),
    nextId: await after('intents', 'id'),
    nextSeq: await after('entries', 'seq'),
    nextLatch: await after('latches', 'seq'),
  };
}

/**
 * Intents that ended within an hour of market time before the newest step, or after it where the service's clock was set
 * back. Limits that reach over a restart count what was emitted and approved in it, which the last step does not show.
 */
function keysOfLastHour(last: readonly JournalEntry[]): ReadonlySet<string> {
  const newest = last.at(-1)?.marketTime ?? 0;
  const recent = last.filter(({ marketTime }) => marketTime > newest - HOUR_MS);
  return new Set(recent.map(({ key }) => key));
}

function toMap(rows: PgResult['rows']): Map<string, string> {
  return new Map(rows.map(({ key, value }) => [String(key), String(value)]));
}

async function loadLatches(
  read: (text: string) => Promise<PgResult['rows']>,
): Promise<Map<string, Latch>> {
  const rows = (await read(
    `SELECT DISTINCT ON (name) name, value, reason, time FROM trimtab.latches
     WHERE account = $1 ORDER BY name, seq DESC`,
  )) as unknown as Array<Latch & { name: string }>;
  return new Map(rows.map(({ name, value, reason, time }) => [name, { value, reason, time }]));
}
