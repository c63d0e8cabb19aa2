import { isFinal, type IntentState } from '../IntentState.ts';
import type { IntentRow, JournalEntry } from '../JournalStore.ts';
import type { Statement } from './PgClient.ts';

/** Rows as the database gets them, numbered by their one writer. */
export interface NumberedAppend {
  intent?: IntentRow & { id: number };
  entries: ReadonlyArray<JournalEntry & { seq: number }>;
}

/**
 * Any number of appends in one statement, which is one transaction and one answer. It writes nothing if this
 * process no longer holds the account's token.
 */
const TEXT = `
WITH held AS (SELECT FROM trimtab.accounts WHERE account = $1 AND token = $2),
opened AS (
  INSERT INTO trimtab.intents (account, id, key, decision_key, generation, instance, wallet, kind,
    intent, state, final, opened, updated)
  SELECT $1, row.* FROM held, unnest($3::bigint[], $4::text[], $5::text[], $6::int[], $7::text[],
    $8::text[], $9::text[], $10::text[], $11::text[], $12::boolean[], $13::float8[], $14::float8[])
    AS row
),
stepped AS (
  INSERT INTO trimtab.entries (account, seq, key, state, wall_time, market_time, data)
  SELECT $1, row.* FROM held, unnest($15::bigint[], $16::text[], $17::text[], $18::float8[],
    $19::float8[], $20::text[]) AS row
),
moved AS (
  UPDATE trimtab.intents SET state = row.state, final = row.final, updated = row.updated
  FROM held, unnest($21::text[], $22::text[], $23::boolean[], $24::float8[])
    AS row (key, state, final, updated)
  WHERE intents.account = $1 AND intents.key = row.key
)
SELECT count(*)::int AS held FROM held`;

type Move = [key: string, state: IntentState, final: boolean, updated: number];

export function appendStatement(
  account: string,
  token: bigint,
  appends: readonly NumberedAppend[],
): Statement {
  const last = new Map<string, JournalEntry>();
  for (const { entries } of appends) for (const entry of entries) last.set(entry.key, entry);
  const intents = appends.flatMap(({ intent }) => (intent === undefined ? [] : [intent]));
  const opened = intents.map((row) => {
    const { id, key, decisionKey, generation, instance, wallet, kind, intent } = row;
    const [, state, final, updated] = moveOf(last.get(key)!);
    // The first step's time is the time at which it was emitted; steps of one append share it.
    const at = firstTime(appends, key);
    const fields = [id, key, decisionKey, generation, instance, wallet, kind, intent];
    return [...fields, state, final, at, updated];
  });
  const stepped = appends.flatMap(({ entries }) =>
    entries.map(({ seq, key, state, wallTime, marketTime, data }) => [
      seq,
      key,
      state,
      wallTime,
      marketTime,
      data,
    ]),
  );
  const isNew = new Set(intents.map(({ key }) => key));
  const moved = [...last.values()].filter(({ key }) => !isNew.has(key)).map(moveOf);
  const values = [...columns(opened, 12), ...columns(stepped, 6), ...columns(moved, 4)];
  return { name: 'trimtab-append', text: TEXT, values: [account, token, ...values] };
}

function moveOf({ key, state, wallTime }: JournalEntry): Move {
  return [key, state, isFinal(state), wallTime];
}

function firstTime(appends: readonly NumberedAppend[], key: string): number {
  for (const { entries } of appends) {
    const first = entries.find((entry) => entry.key === key);
    if (first !== undefined) return first.wallTime;
  }
  return 0;
}

/** Rows → columns, as `unnest` takes them. */
function columns(rows: ReadonlyArray<readonly unknown[]>, count: number): unknown[][] {
  return Array.from({ length: count }, (_, index) => rows.map((row) => row[index]));
}
