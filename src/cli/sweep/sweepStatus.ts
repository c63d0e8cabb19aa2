import { formatSweepStatus, PartRefusal, readSweepStatus } from '../../../backtest/index.ts';
import { CommandFailure } from '../failures/CommandFailure.ts';

/**
 * The status of a sweep as text or JSON, and the exit code that goes with it: 0 while it runs and when it is
 * complete, 1 if points failed or are slow, 2 if it was stopped before its end.
 *
 * @throws CommandFailure for a file that is no results file, or of another sweep
 */
export function sweepStatus(
  paths: readonly string[],
  { now, isJson }: { now: number; isJson: boolean },
): { text: string; exitCode: number } {
  try {
    const status = readSweepStatus(paths, now);
    const isDegraded = status.failed > 0 || status.slow.length > 0;
    const exitCode = status.state === 'stopped' ? 2 : isDegraded ? 1 : 0;
    return {
      text: isJson ? `${JSON.stringify(status)}\n` : formatSweepStatus(status),
      exitCode,
    };
  } catch (error) {
    if (!(error instanceof PartRefusal)) throw error;
    throw new CommandFailure('TRIMTAB_SWEEP_PART_REFUSED', error.message);
  }
}
