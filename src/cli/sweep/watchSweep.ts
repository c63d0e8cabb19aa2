import {
  describeSlow,
  estimateSweep,
  stragglersOf,
  type PointCost,
  type Results,
  type RunningPoint,
  type SweepEngine,
  type SweepProgress,
  type WorkerCost,
} from '../../../backtest/index.ts';
import type { Cancel, Env } from '../../env/index.ts';
import { createCountProgress } from '../../operate/index.ts';
import { formatEstimate } from './sweepEstimate.ts';

export interface WatchSweep {
  env: Pick<Env, 'clock' | 'timers'>;
  engine: SweepEngine;
  results: Results;
  stream: { write(text: string): unknown; isTTY?: boolean };
  threads: number | null;
}

const TICK_MS = 1_000;

export interface SweepWatch {
  onProgress(progress: SweepProgress): void;
  /** Shows what the sweep will cost; not there where that can't be known. */
  onSample?(costs: readonly PointCost[], left: number): void;
  end(): void;
}

/**
 * Shows the progress of a sweep in the terminal, and keeps it in the results file for `trimtab status`.
 *
 * @param options.threads of this machine; null where other processes compute the points
 */
export function watchSweep({ env, engine, results, stream, threads }: WatchSweep): SweepWatch {
  const show = createCountProgress({
    stream,
    now: () => env.clock.monotonicNow(),
    unit: 'points',
  });
  let last: SweepProgress | undefined;
  let cancel: Cancel | undefined;
  let msAPoint = Infinity;
  const draw = (running: readonly RunningPoint[]): void => {
    if (last === undefined) return;
    const { failed, ...counts } = last;
    const [slow] = describeSlow(stragglersOf(running, { msAPoint }), msAPoint);
    const note = slow === undefined ? {} : { note: slow };
    show({ ...counts, ...note, ...(failed === 0 ? {} : { failed }) });
  };
  const tick = (): void => {
    cancel = env.timers.after(TICK_MS, tick);
    if (last === undefined || last.done >= last.total) return;
    const running = engine.running?.() ?? [];
    try {
      results.note({ total: last.total, running });
      msAPoint = meanOf(results.workers());
    } catch {
      // A file that takes nothing any more ends the sweep with its next result.
    }
    draw(running);
  };
  tick();
  return {
    onProgress(progress) {
      if (last?.total !== progress.total) results.note({ total: progress.total, running: [] });
      last = progress;
      draw([]);
    },
    ...(threads !== null && {
      onSample(costs: readonly PointCost[], left: number) {
        const estimate = estimateSweep(costs, { points: left, threads });
        stream.write(`${formatEstimate(estimate)}\n`);
      },
    }),
    end: () => cancel?.(),
  };
}

function meanOf(workers: readonly WorkerCost[]): number {
  const points = workers.reduce((sum, each) => sum + each.points, 0);
  return points === 0 ? Infinity : workers.reduce((sum, each) => sum + each.ms, 0) / points;
}
