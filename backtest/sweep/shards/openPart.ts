import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { reasonOf } from '../../../src/env/index.ts';
import { FORMAT } from '../openResults.ts';
import type { RunningPoint, WorkerCost } from '../PointCost.ts';
import { columnsOf, verifiedCells, type PointCells, type PointRow } from '../results/pointRow.ts';
import { workersIn } from '../results/workerCosts.ts';
import type { SweepPlan } from '../SweepPlan.ts';
import { formatShard, parseShard, type Shard } from './Shard.ts';

/** A results file that is read: one shard of a sweep, or any part of it. */
export interface Part {
  path: string;
  id: string;
  plan: SweepPlan;
  /** Null for a file that was not made with `--shard`. */
  shard: Shard | null;
  assumptions: readonly string[];
  workers: readonly WorkerCost[];
  /** Number of results. */
  size: number;
  /** Number of results that it will have; null if it is not known yet. */
  total: number | null;
  /** The points that are being computed; none once their process was killed. */
  running(now: number): RunningPoint[];
  /** The reason of each point that failed. */
  faults(): Iterable<string>;
  /** The indexes of the jobs that it has results of. */
  indexes(): Iterable<number>;
  /**
   * The rows of the jobs from one index to below another, ascending.
   *
   * @throws PartRefusal for a row that is damaged
   */
  rows(from: number, until: number): Iterable<PointCells>;
  close(): void;
}

/** A file that can't be a part of a merge. */
export class PartRefusal extends Error {
  override readonly name = 'PartRefusal';
}

/** How long a read waits for a write of the shard that is still running. */
const PATIENCE_MS = 5_000;
/** What a process computes it notes every second: after so long without, there is none. */
const SILENT_MS = 60_000;
/** Pages of a part in memory; a merge has as many parts open as there are shards. */
const CACHE_KIB = 64;

/**
 * Opens a part to read it.
 *
 * @param options.check whether SQLite checks the structure of the whole file; default: yes
 * @throws PartRefusal for a file that is missing, damaged, no results file, or of another version
 */
export function openPart(path: string, { check = true } = {}): Part {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new PartRefusal(`${path} does not exist.\n  ${LEAVE_OUT}`);
  if (!found.isFile()) throw new PartRefusal(`${path} is not a file.\n  ${LEAVE_OUT}`);
  let db: DatabaseSync | undefined;
  try {
    // What a killed process left half written is undone first, which is a write.
    const readOnly = !existsSync(`${path}-journal`);
    db = new DatabaseSync(path, { readOnly, timeout: PATIENCE_MS });
    db.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
    return partOf(path, db, check);
  } catch (error) {
    db?.close();
    if (error instanceof PartRefusal) throw error;
    throw isOther(error)
      ? new PartRefusal(`${path} is not a results file: ${reasonOf(error)}.\n  ${LEAVE_OUT}`)
      : damaged(path, null, reasonOf(error));
  }
}

const LEAVE_OUT = 'Give results files, which trimtab sweep wrote.';

const isOther = (error: unknown): boolean =>
  /not a database|no such (table|column)/.test(reasonOf(error));

function damaged(path: string, shard: Shard | null, reason: string): PartRefusal {
  const again = shard === null ? '' : ` with --shard ${formatShard(shard)}`;
  return new PartRefusal(
    `${path} is damaged: ${reason}.\n  Copy it again from where it was made, or remove it and compute it again${again}.`,
  );
}

function partOf(path: string, db: DatabaseSync, isChecked: boolean): Part {
  const { format } = (db.prepare('SELECT format FROM sweep').get() ?? {}) as { format?: string };
  if (format !== FORMAT) {
    const other = format ?? 'nothing';
    throw new PartRefusal(
      `${path} holds results of another version of Trimtab (${other}, not ${FORMAT}).\n` +
        '  Compute it again with this version, or merge with that one.',
    );
  }
  const head = db
    .prepare('SELECT id, plan, shard, assumptions, total FROM sweep')
    .get() as unknown as HeadRow;
  const read = head.shard === null ? null : parseShard(head.shard);
  const shard = read?.ok === true ? read.shard : null;
  const [check] = isChecked ? db.prepare('PRAGMA quick_check(1)').all() : [];
  const verdict = String(check?.['quick_check']);
  if (isChecked && verdict !== 'ok') throw damaged(path, shard, verdict);
  const plan = JSON.parse(head.plan) as SweepPlan;
  const columns = columnsOf(plan.params);
  const between = db.prepare('SELECT * FROM points WHERE job >= ? AND job < ? ORDER BY job');
  return {
    path,
    id: head.id,
    plan,
    shard,
    assumptions: JSON.parse(head.assumptions) as string[],
    workers: workersIn(db),
    size: Number(db.prepare('SELECT count(*) AS size FROM points').get()!['size']),
    total: head.total,
    running(now) {
      // What a killed process computed stays in the file, and it notes nothing any more.
      const alive = db.prepare('SELECT worker, job, since FROM running WHERE noted > ?');
      const rows = alive.all(now - SILENT_MS);
      return rows.map(({ worker, job, since }) => {
        return { worker: String(worker), index: Number(job), ms: now - Number(since) };
      });
    },
    *faults() {
      const failed = db.prepare('SELECT fault FROM points WHERE fault IS NOT NULL');
      for (const { fault } of failed.iterate()) yield String(fault);
    },
    *indexes() {
      for (const { job } of db.prepare('SELECT job FROM points').iterate()) yield Number(job);
    },
    *rows(from, until) {
      for (const row of between.iterate(from, until) as Iterable<PointRow>) {
        const cells = verifiedCells(row, columns);
        if (cells !== null) yield cells;
        else throw damaged(path, shard, `point ${Number(row['job']) + 1} is not as it was written`);
      }
    },
    close: () => db.close(),
  };
}

interface HeadRow {
  id: string;
  plan: string;
  shard: string | null;
  assumptions: string;
  total: number | null;
}
