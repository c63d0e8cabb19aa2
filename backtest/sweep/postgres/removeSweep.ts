import type { SweepDatabase } from './openSweepDatabase.ts';
import { ALONE } from './sweepTables.ts';

/** Results of many points would take longer than a statement may. */
const JOBS_A_STATEMENT = 1_000;

/** Removes a sweep from the database, with its jobs and results, unless another process waits for it. */
export async function removeSweep(database: SweepDatabase, id: string): Promise<void> {
  const values = [id];
  for (;;) {
    const { rows } = await database.query({
      text: `WITH ${ALONE} DELETE FROM trimtab.sweep_jobs USING alone WHERE yes AND sweep = $1
        AND index IN (SELECT index FROM trimtab.sweep_jobs WHERE sweep = $1 LIMIT ${JOBS_A_STATEMENT})
        RETURNING index`,
      values,
    });
    if (rows.length === 0) break;
  }
  const text = `WITH ${ALONE} DELETE FROM trimtab.sweeps USING alone WHERE yes AND id = $1`;
  await database.query({ text, values });
}

/**
 * Removes what killed sweeps have left, except for this one. After a day a missing connection is no
 * longer just broken, and unfinished work of their workers can be computed again.
 */
export async function removeAbandoned(database: SweepDatabase, own: string): Promise<void> {
  const { rows } = await database.query({
    text: `SELECT id FROM trimtab.sweeps WHERE created < now() - interval '1 day' AND id <> $1`,
    values: [own],
  });
  for (const { id } of rows) await removeSweep(database, String(id));
}
