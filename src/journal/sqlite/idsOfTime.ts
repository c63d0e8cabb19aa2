import type { DatabaseSync } from 'node:sqlite';

/** Wall time may be set back; intents that are out of order by less than this are found. */
const CLOCK_STEP_MS = 3_600_000;

/**
 * The ids between which the intents of a time are: ids grow with time, but for a clock that was set. Without them a
 * search by time reads the whole table.
 *
 * @param since, until wall time, epoch milliseconds; `until` itself is not part of it
 */
export function idsOfTime(
  db: DatabaseSync,
  { since, until }: { since?: number | undefined; until?: number | undefined },
): { from?: number; before?: number } {
  return {
    ...(since === undefined ? {} : { from: firstIdAt(db, since - CLOCK_STEP_MS) }),
    ...(until === undefined ? {} : { before: firstIdAt(db, until + CLOCK_STEP_MS) }),
  };
}

/** The lowest id whose intent was opened at a time or later, one beyond the last if there is none; by halving. */
function firstIdAt(db: DatabaseSync, time: number): number {
  // Each by itself: SQLite seeks the one end of an index, and reads it all for both.
  const end = (of: 'min' | 'max'): number | null =>
    db.prepare(`SELECT ${of}(id) AS id FROM intents`).get()!['id'] as number | null;
  const [low, high] = [end('min') ?? 1, (end('max') ?? 0) + 1];
  // Compacted intents leave gaps.
  const nextFrom = db.prepare('SELECT id, opened FROM intents WHERE id >= ? ORDER BY id LIMIT 1');
  let [from, to] = [low, high];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const found = nextFrom.get(middle) as { id: number; opened: number };
    if (found.opened >= time) to = middle;
    else from = found.id + 1;
  }
  return from;
}
