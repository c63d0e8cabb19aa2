import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolders, reasonOf } from '../../src/env/index.ts';
import type { PointCost, RunningPoint, WorkerCost } from './PointCost.ts';
import { FIGURES, isRun, type PointFault, type PointResult } from './PointResult.ts';
import {
  cellsOf,
  columnsOf,
  CURVES,
  floatsOf,
  isSameRow,
  outlineOf,
  resultOf,
  type PointCells,
  type PointRow,
} from './results/pointRow.ts';
import type { PointReturns, SweepResults } from './results/SweepResults.ts';
import { createIndexSet } from './results/createIndexSet.ts';
import { createWorkerCosts } from './results/workerCosts.ts';
import { formatShard, type Shard } from './shards/Shard.ts';
import { planDifference } from './planDifference.ts';
import { planId, type SweepJob, type SweepPlan } from './SweepPlan.ts';

export const FORMAT = 'trimtab-sweep 4';
/** How long a write waits for that of another sweep, which takes some milliseconds. */
const PATIENCE_MS = 10_000;
/** Results that are written at once, or sooner if this much time has passed: a kill loses no more. */
const [BATCH, BATCH_MS] = [1_000, 250];

/** The results of one sweep in a SQLite file: one row per job, from any process. */
export interface Results extends SweepResults {
  /** Writes in batches; the first result of a job counts. */
  add(job: SweepJob, result: PointResult, cost?: PointCost): void;
  /** Rows of another file of the same sweep, in the order of its columns. */
  addRows(rows: readonly PointCells[], workers?: readonly WorkerCost[]): void;
  /** Writes what is left of a batch. */
  flush(): void;
  /** How many results are wanted, and what is being computed: for who looks at the file meanwhile. */
  note(about: { total: number; running: readonly RunningPoint[] }): void;
  /** By what is written: it is read between two results, where a failed write would have no caller. */
  workers(): WorkerCost[];
  close(): void;
}

export interface ResultsOptions {
  /** The part of the sweep that the file is for; default: all of it. */
  shard?: Shard | null;
  /** Sentences that apply to every point, for who has the file and not the tape. */
  assumptions?: readonly string[];
  /** Epoch milliseconds. */
  now(): number;
}

/** A file that can't store this sweep's results. */
export class ResultsRefusal extends Error {
  override readonly name = 'ResultsRefusal';
}

/** A file that can't take results any more, such as on a full disk. What it has is kept. */
export class ResultsUnwritable extends Error {
  override readonly name = 'ResultsUnwritable';
}

/** Two results of one job that differ. */
export class ResultsDiffer extends Error {
  override readonly name = 'ResultsDiffer';
  constructor(job: number) {
    super(`Point ${job + 1} has two results that differ.`);
  }
}

/**
 * Opens a results file, new or of the same sweep, which then resumes.
 *
 * Table `points`: `job`, `window`, `part`, a column `param_NAME` for each parameter, `fault`, the figures,
 * `daily_returns`, `edge_returns` (before the first and after the last of the days) and `trade_pnls` as 64-bit floats, little-endian, and the row's `crc32`. Table `sweep`: the
 * format, the plan as JSON, the shard that the file is for. Tables `workers` and `running`: what each worker has done,
 * and does.
 *
 * @throws ResultsRefusal for another sweep's file, or one that is not a results file
 * @throws ResultsUnwritable when results are written, if the file can't take them
 * @throws ResultsDiffer when results are written, if a job has another result there
 */
export function openResults(path: string, plan: SweepPlan, options: ResultsOptions): Results {
  const db = openFile(path, plan, options);
  const columns = columnsOf(plan.params);
  const names = columns.map(quoted);
  const insert = db.prepare(
    `INSERT INTO points (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})
     ON CONFLICT (job) DO NOTHING`,
  );
  const one = db.prepare('SELECT * FROM points WHERE job = ?');
  const begin = db.prepare('INSERT OR REPLACE INTO running VALUES (?, ?, ?, ?)');
  const setTotal = db.prepare('UPDATE sweep SET total = ?');
  const costs = createWorkerCosts(db);
  const known = createIndexSet();
  for (const { job } of db.prepare('SELECT job FROM points').iterate()) known.add(Number(job));
  let waiting: PointCells[] = [];
  let writtenAt = options.now();

  const write = (rows: readonly PointCells[], noteWorkers: () => void): void => {
    inTransaction(db, path, () => {
      for (const cells of rows) {
        if (insert.run(...cells).changes === 1) continue;
        const stored = one.get(cells[0]!) as PointRow;
        const same = columns.map((name) => stored[name]) as PointCells;
        if (!isSameRow(cells, same)) throw new ResultsDiffer(Number(cells[0]));
      }
      noteWorkers();
    });
    for (const [job] of rows) known.add(Number(job));
    writtenAt = options.now();
  };
  const flush = (): void => {
    if (waiting.length === 0) return;
    const rows = waiting;
    waiting = [];
    const workers = costs.take();
    write(rows, () => costs.write(workers));
  };
  /** What is waiting belongs to what is read. */
  const read = (statement: string) => {
    flush();
    return db.prepare(statement).iterate() as Iterable<PointRow>;
  };
  return {
    get size() {
      return known.size;
    },
    has: (index) => known.has(index),
    get(index) {
      flush();
      const row = one.get(index) as PointRow | undefined;
      return row && resultOf(row);
    },
    *outlines() {
      for (const row of read(OUTLINES)) yield outlineOf(row);
    },
    *returns(): Generator<PointReturns> {
      for (const row of read(RETURNS)) {
        yield { index: Number(row['job']), returns: floatsOf(row['daily_returns']) };
      }
    },
    *faults(): Generator<PointFault> {
      for (const { job, fault } of read(FAULTS)) yield { index: Number(job), fault: String(fault) };
    },
    add(job, result, cost) {
      if (known.has(job.index) && waiting.some(([index]) => index === job.index)) flush();
      waiting.push(cellsOf(job, result));
      known.add(job.index);
      if (cost !== undefined) costs.add(cost, { isFault: !isRun(result), now: options.now() });
      if (waiting.length >= BATCH || options.now() - writtenAt >= BATCH_MS) flush();
    },
    addRows(rows, workers = []) {
      flush();
      write(rows, () => costs.replace(workers));
    },
    flush,
    note({ total, running }) {
      inTransaction(db, path, () => {
        db.exec('DELETE FROM running');
        const now = options.now();
        for (const { worker, index, ms } of running) begin.run(worker, index, now - ms, now);
        setTotal.run(total);
      });
    },
    workers: () => costs.all(),
    close() {
      try {
        flush();
      } finally {
        seal(db);
      }
    },
  };
}

const OUTLINES = `SELECT job, fault, ${FIGURES.join(', ')},
  length(daily_returns) / 8 AS days_of_returns FROM points ORDER BY job`;
const RETURNS =
  'SELECT job, daily_returns FROM points WHERE daily_returns IS NOT NULL ORDER BY job';
const FAULTS = 'SELECT job, fault FROM points WHERE fault IS NOT NULL ORDER BY job';

/** One file again, without a log beside it: it can be copied, and read where nothing can be written. */
function seal(db: DatabaseSync): void {
  try {
    db.exec('DELETE FROM running');
    db.exec('PRAGMA journal_mode = DELETE');
  } catch {
    // Another process has it open, or the disk is full: the log stays beside it.
  }
  db.close();
}

function inTransaction(db: DatabaseSync, path: string, act: () => void): void {
  try {
    db.exec('BEGIN IMMEDIATE');
    act();
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    if (error instanceof ResultsDiffer) throw error;
    throw new ResultsUnwritable(
      `${path} can't take more results: ${reasonOf(error)}.\n` +
        '  What it has is kept. Free some space, or mend the reason; the same command resumes from there.',
      { cause: error },
    );
  }
}

function openFile(path: string, plan: SweepPlan, options: ResultsOptions): DatabaseSync {
  makeFolders(dirname(path));
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path, { timeout: PATIENCE_MS });
    // A shard's file has one writer and may be on a network file system, which has no shared memory for a log.
    const isAlone = (options.shard ?? null) !== null;
    db.exec(`PRAGMA journal_mode = ${isAlone ? 'DELETE' : 'WAL'}; PRAGMA synchronous = NORMAL`);
    // If two sweeps open a new file at once, the second one finds the tables of the first.
    db.exec('BEGIN IMMEDIATE');
    if (db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined) {
      create(db, plan, options);
    } else requireSame(path, db, { plan, shard: options.shard ?? null });
    db.exec('COMMIT');
    return db;
  } catch (error) {
    db?.close();
    if (error instanceof ResultsRefusal) throw error;
    const reason = reasonOf(error);
    if (/not a database|no such (table|column)/.test(reason)) {
      const remedy = 'Name another file with --out.';
      throw new ResultsRefusal(`${path} is not a results file: ${reason}.\n  ${remedy}`);
    }
    throw new ResultsUnwritable(
      `${path} can't be used for results: ${reason}.\n  Mend the reason, or name another file with --out.`,
      { cause: error },
    );
  }
}

function requireSame(
  path: string,
  db: DatabaseSync,
  { plan, shard }: { plan: SweepPlan; shard: Shard | null },
): void {
  const remedy = 'Name another file with --out, or remove this one.';
  const { format } = db.prepare('SELECT format FROM sweep').get() as { format: string };
  if (format !== FORMAT) {
    const version = `another version of Trimtab (${format}, not ${FORMAT})`;
    throw new ResultsRefusal(`${path} holds results of ${version}.\n  ${remedy}`);
  }
  const known = db.prepare('SELECT id, plan, shard FROM sweep').get() as Record<string, string>;
  if (known['id'] !== planId(plan)) {
    const difference = planDifference(JSON.parse(known['plan']!) as SweepPlan, plan);
    throw new ResultsRefusal(`${path} holds results of ${difference}.\n  ${remedy}`);
  }
  const [saved, wanted] = [known['shard'] ?? null, shard && formatShard(shard)];
  if (saved === wanted) return;
  const of = (text: string | null): string => (text === null ? 'the whole sweep' : `shard ${text}`);
  throw new ResultsRefusal(`${path} is for ${of(saved)}, not ${of(wanted)}.\n  ${remedy}`);
}

/** Within a transaction: a half-created file would belong to no sweep. */
function create(
  db: DatabaseSync,
  plan: SweepPlan,
  { shard = null, assumptions = [] }: ResultsOptions,
): void {
  const params = plan.params.map(({ name }) => `${quoted(`param_${name}`)} ANY`);
  const figures = FIGURES.map((name) => `${name} ${name === 'hash' ? 'TEXT' : 'REAL'}`);
  const curves = CURVES.map((name) => `${name} BLOB`);
  const rest = ['fault TEXT', ...figures, ...curves, 'crc32 INTEGER'];
  const first = ['job INTEGER PRIMARY KEY', 'window INTEGER', 'part TEXT NOT NULL'];
  db.exec(`CREATE TABLE sweep (format TEXT, id TEXT, plan TEXT, shard TEXT, assumptions TEXT, total INTEGER)
      STRICT;
    CREATE TABLE points (${[...first, ...params, ...rest].join(', ')}) STRICT;
    CREATE TABLE workers (worker TEXT PRIMARY KEY, points INTEGER, failed INTEGER, ms REAL, cpu_ms REAL,
      first REAL, last REAL) STRICT;
    CREATE TABLE running (worker TEXT PRIMARY KEY, job INTEGER, since REAL, noted REAL) STRICT`);
  const values = [FORMAT, planId(plan), JSON.stringify(plan), shard && formatShard(shard)];
  db.prepare('INSERT INTO sweep VALUES (?, ?, ?, ?, ?, NULL)').run(
    ...values,
    JSON.stringify(assumptions),
  );
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
