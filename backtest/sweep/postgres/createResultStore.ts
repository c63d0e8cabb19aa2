import type { ComputedPoint } from '../createPointThreads.ts';
import type { PointCost } from '../PointCost.ts';
import type { PointResult } from '../PointResult.ts';

/** The first result of a point counts; `other` is a later one that differs from it. */
const TABLES = `BEGIN; SELECT pg_advisory_xact_lock(7830917); CREATE SCHEMA IF NOT EXISTS trimtab;
CREATE TABLE IF NOT EXISTS trimtab.sweeps (sweep text PRIMARY KEY, plan text NOT NULL);
CREATE TABLE IF NOT EXISTS trimtab.sweep_results (sweep text, point integer, result text NOT NULL,
  other text, worker text NOT NULL, ms real NOT NULL, cpu_ms real NOT NULL, seq bigserial, PRIMARY KEY (sweep, point));
CREATE INDEX IF NOT EXISTS sweep_results_seq ON trimtab.sweep_results (sweep, seq); COMMIT`;

/** Rows of one answer. */
export const ROWS = 1_000;

/** Runs a statement. @throws what the database or the connection says */
export type Query = <Row = Record<string, unknown>>(
  text: string,
  values: unknown[],
) => Promise<Row[]>;

/** A stored result; `seq` grows with the order of writing. */
interface StoredResult {
  result: PointResult;
  cost: PointCost;
  seq: number;
}

interface StoredRow {
  result: string;
  worker: string;
  ms: number;
  cpu_ms: number;
  /** A bigint, which the client hands on as text. */
  seq: string;
}

/** What a server keeps of sweeps beside the queue: their plans and their results. */
export function createResultStore(query: Query) {
  return {
    create: () => query(TABLES, []),
    /** Stores a sweep's signed plan; that of who began last stands. */
    async begin(sweep: string, signed: string): Promise<void> {
      const text = `INSERT INTO trimtab.sweeps VALUES ($1, $2)
        ON CONFLICT (sweep) DO UPDATE SET plan = excluded.plan`;
      await query(text, [sweep, signed]);
    },
    async sweeps(): Promise<string[]> {
      return (await query('SELECT sweep FROM trimtab.sweeps', [])).map(({ sweep }) =>
        String(sweep),
      );
    },
    /** A sweep's signed plan, as long as it has not been removed. */
    async plan(sweep: string): Promise<string | undefined> {
      const text = 'SELECT plan FROM trimtab.sweeps WHERE sweep = $1';
      return (await query<{ plan: string }>(text, [sweep]))[0]?.plan;
    },
    /** Stores results of a sweep that has not been removed. */
    async write(sweep: string, done: readonly ComputedPoint[], worker: string): Promise<void> {
      const text = `INSERT INTO trimtab.sweep_results AS first (sweep, point, result, ms, cpu_ms, worker)
        SELECT $1, point, result, ms, cpu_ms, $6 FROM unnest($2::int[], $3::text[], $4::real[], $5::real[])
          AS computed (point, result, ms, cpu_ms)
        WHERE EXISTS (SELECT FROM trimtab.sweeps WHERE sweep = $1) ON CONFLICT (sweep, point)
        DO UPDATE SET other = excluded.result WHERE first.result <> excluded.result`;
      const columns = [
        done.map(({ result }) => result.index),
        done.map(({ result }) => JSON.stringify(result)),
        done.map(({ ms }) => ms),
        done.map(({ cpuMs }) => cpuMs),
      ];
      await query(text, [sweep, ...columns, worker]);
    },
    /** At most {@link ROWS} results: later ones than this, and those of these points. */
    async read(sweep: string, after: number, points: readonly number[]): Promise<StoredResult[]> {
      const text = `SELECT result, worker, ms, cpu_ms, seq FROM trimtab.sweep_results WHERE sweep = $1
        AND (seq > $2 OR point = ANY($3)) ORDER BY seq LIMIT ${ROWS}`;
      const rows = await query<StoredRow>(text, [sweep, after, points]);
      return rows.map(({ result, worker, ms, cpu_ms: cpuMs, seq }) => ({
        result: JSON.parse(result) as PointResult,
        cost: { worker, ms, cpuMs },
        seq: Number(seq),
      }));
    },
    /** A point that two workers computed differently. */
    async contradicted(sweep: string): Promise<number | undefined> {
      const text = `SELECT point FROM trimtab.sweep_results WHERE sweep = $1 AND other IS NOT NULL LIMIT 1`;
      return (await query<{ point: number }>(text, [sweep]))[0]?.point;
    },
    async remove(sweep: string): Promise<void> {
      const text = `WITH gone AS (DELETE FROM trimtab.sweeps WHERE sweep = $1)
        DELETE FROM trimtab.sweep_results WHERE sweep = $1`;
      await query(text, [sweep]);
    },
  };
}
