import type { DatabaseSync } from 'node:sqlite';
import { checksumOf } from '../checksumOf.ts';

/** Problems of a kind beyond this number are not listed. */
const MOST = 20;

interface Table {
  name: string;
  /** The columns of its checksum, in order; the first names the record. */
  columns: string;
  say(id: string): string;
}

const TABLES: readonly Table[] = [
  {
    name: 'entries',
    columns: 'key, state, wall_time, market_time, data',
    say: (id) => `a step of ${id} is not what was written`,
  },
  {
    name: 'intents',
    columns: 'key, decision_key, generation, instance, wallet, kind, intent',
    say: (id) => `the intent ${id} is not what was written`,
  },
  {
    name: 'latches',
    columns: 'name, value, reason, time',
    say: (id) => `the latch ${id} is not what was written`,
  },
  {
    name: 'meta',
    columns: 'key, value',
    say: (id) => `the fact ${id} is not what was written`,
  },
  {
    name: 'strategy_states',
    columns: 'instance, state',
    say: (id) => `the state of ${id} is not what was written`,
  },
];

/** Records whose checksum is wrong, and steps without an intent, up to twenty of each. */
export function wrongRecords(db: DatabaseSync): string[] {
  const stray = db
    .prepare(
      `SELECT DISTINCT key FROM entries AS step
       WHERE NOT EXISTS (SELECT 1 FROM intents WHERE intents.key = step.key) LIMIT ${MOST}`,
    )
    .all()
    .map(({ key }) => `steps of ${String(key)} have no intent`);
  return [...TABLES.flatMap((table) => wrongOf(db, table)), ...stray];
}

/**
 * Row by row: what a statement passes to a user-defined function stays in memory until the statement is over,
 * so a checksum in SQL would hold a whole table.
 */
function wrongOf(db: DatabaseSync, { name, columns, say }: Table): string[] {
  const rows = db.prepare(`SELECT ${columns}, sum FROM ${name}`);
  rows.setReturnArrays(true);
  const found: string[] = [];
  for (const row of rows.iterate() as Iterable<unknown> as Iterable<Array<string | number>>) {
    if (checksumOf(...row.slice(0, -1)) === row.at(-1)) continue;
    found.push(say(String(row[0])));
    if (found.length === MOST) break;
  }
  return found;
}
