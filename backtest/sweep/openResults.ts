import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { reasonOf } from '../../src/env/index.ts';
import { FIGURES, isRun, type PointFigures, type PointResult } from './PointResult.ts';
import { sourceDifference } from './SourceMark.ts';
import { planId, type SweepJob, type SweepPlan } from './SweepPlan.ts';

const FORMAT = 'trimtab-sweep 2';
/** How long a write waits for that of another sweep, which takes a millisecond. */
const PATIENCE_MS = 10_000;

/** The results of one sweep in a SQLite file: one row per job, from any process. */
export interface Results {
  /** Returns the result that counts: the first one, if another sweep writes into the file as well. */
  add(job: SweepJob, result: PointResult): PointResult;
  /** All results so far, by the index of their jobs. */
  all(): Map<number, PointResult>;
  close(): void;
}

/** A file that can't store this sweep's results. */
export class ResultsRefusal extends Error {
  override readonly name = 'ResultsRefusal';
}

/**
 * Opens a results file, new or of the same sweep, which then resumes.
 *
 * Table `points`: `job`, `window`, `part`, a column `param_NAME` for each parameter, `fault`, the
 * figures, and `daily_returns` and `trade_pnls` as JSON.
 *
 * @throws ResultsRefusal for another sweep's file, or one that is not a results file
 */
export function openResults(path: string, plan: SweepPlan): Results {
  const db = openFile(path, plan);
  const params = plan.params.map(({ name }) => quoted(`param_${name}`));
  const columns = [
    'job',
    'window',
    'part',
    ...params,
    'fault',
    ...FIGURES,
    'daily_returns',
    'trade_pnls',
  ];
  const insert = db.prepare(
    `INSERT INTO points (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
     ON CONFLICT (job) DO NOTHING`,
  );
  const first = db.prepare('SELECT * FROM points WHERE job = ?');
  return {
    add(job, result) {
      const of: SQLInputValue[] = [job.index, job.window, job.part, ...job.values.map(typed)];
      if (insert.run(...of, ...cellsOf(result)).changes === 1) return result;
      return fromRow(first.get(job.index)!)[1];
    },
    all: () => new Map(db.prepare('SELECT * FROM points').all().map(fromRow)),
    close: () => db.close(),
  };
}

function openFile(path: string, plan: SweepPlan): DatabaseSync {
  mkdirSync(dirname(path), { recursive: true });
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path, { timeout: PATIENCE_MS });
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    // If two sweeps open a new file at once, the second one finds the tables of the first.
    db.exec('BEGIN IMMEDIATE');
    if (db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined) create(db, plan);
    else requireSame(path, db, plan);
    db.exec('COMMIT');
    return db;
  } catch (error) {
    db?.close();
    if (error instanceof ResultsRefusal) throw error;
    const remedy = 'Name another file with --out.';
    throw new ResultsRefusal(`${path} is not a results file: ${reasonOf(error)}.\n  ${remedy}`);
  }
}

function requireSame(path: string, db: DatabaseSync, plan: SweepPlan): void {
  const query = db.prepare('SELECT format, id, plan FROM sweep');
  const known = query.get() as { format: string; id: string; plan: string };
  if (known.format === FORMAT && known.id === planId(plan)) return;
  const remedy = 'Name another file with --out, or remove this one.';
  if (known.format !== FORMAT) {
    const version = `another version of Trimtab (${known.format}, not ${FORMAT})`;
    throw new ResultsRefusal(`${path} holds results of ${version}.\n  ${remedy}`);
  }
  const changed = changedSource(known, plan);
  throw new ResultsRefusal(
    changed === null
      ? `${path} holds the results of another sweep: its configuration, parameters, tape or range differ.\n  ${remedy}`
      : `${path} holds results of other code: ${changed}.\n  ${remedy}`,
  );
}

/** The code that differs if nothing else does: then it is the same sweep of a changed bot. */
function changedSource(known: { id: string; plan: string }, plan: SweepPlan): string | null {
  const { sources } = JSON.parse(known.plan) as SweepPlan;
  if (planId({ ...plan, sources }) !== known.id) return null;
  return sourceDifference(sources, plan.sources);
}

/** Within a transaction: a half-created file would belong to no sweep. */
function create(db: DatabaseSync, plan: SweepPlan): void {
  const params = plan.params.map(({ name }) => `${quoted(`param_${name}`)} ANY`);
  const figures = FIGURES.map((name) => `${name} ${name === 'hash' ? 'TEXT' : 'REAL'}`);
  const text = ['fault TEXT', ...figures, 'daily_returns TEXT', 'trade_pnls TEXT'];
  const first = ['job INTEGER PRIMARY KEY', 'window INTEGER', 'part TEXT NOT NULL'];
  db.exec('CREATE TABLE sweep (format TEXT, id TEXT, plan TEXT) STRICT');
  db.exec(`CREATE TABLE points (${[...first, ...params, ...text].join(', ')}) STRICT`);
  const row = db.prepare('INSERT INTO sweep VALUES (?, ?, ?)');
  row.run(FORMAT, planId(plan), JSON.stringify(plan));
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A number if the text is one, so that it sorts and compares as such. */
function typed(value: string): SQLInputValue {
  return value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value;
}

function cellsOf(result: PointResult): SQLInputValue[] {
  if (!isRun(result)) return [result.fault, ...FIGURES.map(() => null), null, null];
  const figures = FIGURES.map((name) => result.figures[name] ?? null);
  return [null, ...figures, JSON.stringify(result.returns), JSON.stringify(result.trades)];
}

function fromRow(row: Record<string, unknown>): [number, PointResult] {
  const index = Number(row['job']);
  if (typeof row['fault'] === 'string') return [index, { index, fault: row['fault'] }];
  const figures = Object.fromEntries(FIGURES.map((name) => [name, row[name]]));
  const returns = JSON.parse(String(row['daily_returns'])) as number[];
  const trades = JSON.parse(String(row['trade_pnls'])) as number[];
  return [index, { index, figures: figures as unknown as PointFigures, returns, trades }];
}
