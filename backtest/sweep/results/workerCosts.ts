import type { DatabaseSync } from 'node:sqlite';
import type { PointCost, WorkerCost } from '../PointCost.ts';

/** The table `workers` of a results file, and what is to be added to it with the next batch. */
export interface WorkerCosts {
  add(cost: PointCost, point: { isFault: boolean; now: number }): void;
  /** What was added since the last time. */
  take(): WorkerCost[];
  /** Within a transaction: adds to what is there. */
  write(workers: readonly WorkerCost[]): void;
  /** Within a transaction: those of another file, which may be merged again. */
  replace(workers: readonly WorkerCost[]): void;
  all(): WorkerCost[];
}

export function createWorkerCosts(db: DatabaseSync): WorkerCosts {
  const insert = 'INTO workers VALUES (?, ?, ?, ?, ?, ?, ?)';
  const replace = db.prepare(`INSERT OR REPLACE ${insert}`);
  const put = db.prepare(`INSERT ${insert}
    ON CONFLICT (worker) DO UPDATE SET points = points + excluded.points,
      failed = failed + excluded.failed, ms = ms + excluded.ms, cpu_ms = cpu_ms + excluded.cpu_ms,
      first = min(first, excluded.first), last = max(last, excluded.last)`);
  let waiting = new Map<string, WorkerCost>();
  return {
    add({ worker, ms, cpuMs }, { isFault, now }) {
      const before = waiting.get(worker);
      waiting.set(worker, {
        worker,
        points: (before?.points ?? 0) + 1,
        failed: (before?.failed ?? 0) + (isFault ? 1 : 0),
        ms: (before?.ms ?? 0) + ms,
        cpuMs: (before?.cpuMs ?? 0) + cpuMs,
        first: before?.first ?? now,
        last: now,
      });
    },
    take() {
      const taken = [...waiting.values()];
      waiting = new Map();
      return taken;
    },
    write(workers) {
      for (const each of workers) put.run(...cellsOf(each));
    },
    replace(workers) {
      for (const each of workers) replace.run(...cellsOf(each));
    },
    all: () => workersIn(db),
  };
}

const cellsOf = ({ worker, points, failed, ms, cpuMs, first, last }: WorkerCost) =>
  [worker, points, failed, ms, cpuMs, first, last] as const;

/** Who has worked on a results file. */
export function workersIn(db: DatabaseSync): WorkerCost[] {
  const rows = db.prepare('SELECT * FROM workers ORDER BY worker').all();
  return rows.map((row) => ({
    worker: String(row['worker']),
    points: Number(row['points']),
    failed: Number(row['failed']),
    ms: Number(row['ms']),
    cpuMs: Number(row['cpu_ms']),
    first: Number(row['first']),
    last: Number(row['last']),
  }));
}
