import type { Results, SweepEngine, SweepProgress } from '../../backtest/index.ts';
import type { Cancel, Env } from '../env/index.ts';
import { createCountProgress } from '../operate/index.ts';

export interface WatchSweep {
  env: Pick<Env, 'clock' | 'timers'>;
  engine: SweepEngine;
  results: Results;
  stream: { write(text: string): unknown; isTTY?: boolean };
}

const TICK_MS = 1_000;

/**
 * Shows the progress of a sweep in the terminal, and keeps it in the results file for `trimtab status`.
 */
export function watchSweep({ env, engine, results, stream }: WatchSweep): {
  onProgress(progress: SweepProgress): void;
  end(): void;
} {
  const show = createCountProgress({
    stream,
    now: () => env.clock.monotonicNow(),
    unit: 'points',
  });
  let last: SweepProgress | undefined;
  let cancel: Cancel | undefined;
  const draw = (): void => {
    if (last === undefined) return;
    const { failed, ...counts } = last;
    show(failed === 0 ? counts : { ...counts, failed });
  };
  const tick = (): void => {
    cancel = env.timers.after(TICK_MS, tick);
    if (last === undefined || last.done >= last.total) return;
    draw();
    try {
      results.note({ total: last.total, running: engine.running?.() ?? [] });
    } catch {
      // A file that takes nothing any more ends the sweep with its next result.
    }
  };
  tick();
  return {
    onProgress(progress) {
      last = progress;
      draw();
    },
    end: () => cancel?.(),
  };
}
