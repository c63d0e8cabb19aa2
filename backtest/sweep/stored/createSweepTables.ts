import type { ComputedPoint } from '../createPointThreads.ts';
import type { PointCost } from '../PointCost.ts';
import type { PointResult } from '../PointResult.ts';

/**
 * Who waits for a sweep renews its row, by the server's clock alone. The first result of a point counts;
 * `other` is a later one that differs from it.
 */
const TABLES = `BEGIN; SELECT pg_advisory_xact_lock(7830917); CREATE SCHEMA IF NOT EXISTS trimtab;
CREATE TABLE IF NOT EXISTS trimtab.sweep_waits (sweep text, waiter text, plan text NOT NULL,
  until timestamptz NOT NULL, PRIMARY KEY (sweep, waiter));
CREATE TABLE IF NOT EXISTS trimtab.sweep_results (sweep text, point integer, result text NOT NULL,
  other text, worker text NOT NULL, ms real NOT NULL, cpu_ms real NOT NULL, seq bigserial, PRIMARY KEY (sweep, point));
CREATE INDEX IF NOT EXISTS sweep_results_seq ON trimtab.sweep_results (sweep, seq); COMMIT`;

/** Rows of one statement. */
export const ROWS = 1_000;

/** Runs a statement. @throws what the database or the connection says */
export type Query = (text: string, values: unknown[]) => Promise<Array<Record<string, unknown>>>;

/** A stored result; one that was given up has no cost. */
export interface StoredResult {
  result: PointResult;
  cost?: PointCost;
  /** Grows with the order of writing. */
  seq: number;
}

/** What a server keeps of sweeps beside the queue: who waits for them, and the results. */
export interface SweepTables {
  create(): Promise<void>;
  /** Counts a process among those that wait, for another half of a minute. */
  wait(sweep: string, waiter: string, signed: string): Promise<void>;
  endWait(sweep: string, waiter: string): Promise<void>;
  /** Whether no other process waits. */
  isAlone(sweep: string, waiter: string): Promise<boolean>;
  /** Sweeps for which a process waits; with the signed plan, where it is not one of those known. */
  waited(known: readonly string[]): Promise<Map<string, string | null>>;
  /** Sweeps for which nobody has waited for a day. */
  unattended(): Promise<string[]>;
  /** Stores results of a sweep that has not been removed; by nobody if they were given up. */
  write(sweep: string, done: readonly ComputedPoint[], worker: string): Promise<void>;
  /** At most {@link ROWS} results: later ones than this, and those of these points. */
  read(sweep: string, after: number, points: readonly number[]): Promise<StoredResult[]>;
  /** A point that two workers computed differently. */
  contradicted(sweep: string): Promise<number | undefined>;
  remove(sweep: string): Promise<void>;
}

export function createSweepTables(query: Query): SweepTables {
  return {
    async create() {
      await query(TABLES, []);
    },
    async wait(sweep, waiter, signed) {
      const text = `INSERT INTO trimtab.sweep_waits VALUES ($1, $2, $3, now() + interval '30 s')
        ON CONFLICT (sweep, waiter) DO UPDATE SET until = excluded.until`;
      await query(text, [sweep, waiter, signed]);
    },
    async endWait(sweep, waiter) {
      const text = `UPDATE trimtab.sweep_waits SET until = now() WHERE sweep = $1 AND waiter = $2`;
      await query(text, [sweep, waiter]);
    },
    async isAlone(sweep, waiter) {
      const text = `SELECT FROM trimtab.sweep_waits WHERE sweep = $1 AND waiter <> $2 AND until > now()`;
      return (await query(text, [sweep, waiter])).length === 0;
    },
    async waited(known) {
      const text = `SELECT DISTINCT ON (sweep) sweep, CASE WHEN NOT sweep = ANY($1) THEN plan END AS plan
        FROM trimtab.sweep_waits WHERE until > now() ORDER BY sweep, until DESC`;
      const rows = await query(text, [known]);
      return new Map(rows.map(({ sweep, plan }) => [String(sweep), plan as string | null]));
    },
    async unattended() {
      const text = `SELECT sweep FROM trimtab.sweep_waits GROUP BY 1 HAVING max(until) < now() - interval '1 day'`;
      return (await query(text, [])).map(({ sweep }) => String(sweep));
    },
    async write(sweep, done, worker) {
      // A point that was given up has no worker: a result that comes after all is no contradiction.
      const text = `INSERT INTO trimtab.sweep_results AS first (sweep, point, result, ms, cpu_ms, worker)
        SELECT $1, point, result, ms, cpu_ms, $6 FROM unnest($2::int[], $3::text[], $4::real[], $5::real[])
          AS computed (point, result, ms, cpu_ms)
        WHERE EXISTS (SELECT FROM trimtab.sweep_waits WHERE sweep = $1) ON CONFLICT (sweep, point)
        DO UPDATE SET other = excluded.result WHERE first.result <> excluded.result AND first.worker <> ''`;
      const columns = [
        done.map(({ result }) => result.index),
        done.map(({ result }) => JSON.stringify(result)),
        done.map(({ ms }) => ms),
        done.map(({ cpuMs }) => cpuMs),
      ];
      await query(text, [sweep, ...columns, worker]);
    },
    async read(sweep, after, points) {
      const text = `SELECT result, worker, ms, cpu_ms, seq FROM trimtab.sweep_results WHERE sweep = $1
        AND (seq > $2 OR point = ANY($3)) ORDER BY seq LIMIT ${ROWS}`;
      return (await query(text, [sweep, after, points])).map((row): StoredResult => {
        const [worker, ms, cpuMs] = [
          String(row['worker']),
          Number(row['ms']),
          Number(row['cpu_ms']),
        ];
        const result = JSON.parse(String(row['result'])) as PointResult;
        const cost = worker === '' ? {} : { cost: { worker, ms, cpuMs } };
        return { result, ...cost, seq: Number(row['seq']) };
      });
    },
    async contradicted(sweep) {
      const text = `SELECT point FROM trimtab.sweep_results WHERE sweep = $1 AND other IS NOT NULL LIMIT 1`;
      const [row] = await query(text, [sweep]);
      return row === undefined ? undefined : Number(row['point']);
    },
    async remove(sweep) {
      const some = `SELECT point FROM trimtab.sweep_results WHERE sweep = $1 LIMIT ${ROWS}`;
      const text = `DELETE FROM trimtab.sweep_results WHERE sweep = $1 AND point IN (${some}) RETURNING 1`;
      while ((await query(text, [sweep])).length > 0);
      await query('DELETE FROM trimtab.sweep_waits WHERE sweep = $1', [sweep]);
    },
  };
}
