import type { PgResult } from '../../src/journal/postgres/PgClient.ts';

export const none: PgResult = { rows: [], rowCount: 0 };
export const row = (fields: Record<string, unknown>): PgResult => ({ rows: [fields], rowCount: 1 });

/** What a database with empty tables answers when a writer starts. */
export function ofStart(text: string): PgResult {
  if (text.includes('AS found')) return row({ found: true });
  if (text.includes('SELECT version')) return row({ version: 1 });
  if (text.includes('RETURNING token')) return row({ token: '1' });
  return text.includes('AS last') ? row({ last: 0 }) : none;
}
