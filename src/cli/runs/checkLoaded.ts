import { checkBot } from '../../../backtest/check/index.ts';
import { tapeInRange, type TimeRange } from '../../../backtest/index.ts';
import type { LoadedConfig } from '../../config/index.ts';
import type { ReportCheck } from '../../operate/report/index.ts';
import { loadTape } from '../../operate/run/index.ts';
import { CommandFailure, runFailed } from '../failures/CommandFailure.ts';
import { createCliEnv } from '../process/createCliEnv.ts';
import { INTERRUPTED } from '../process/stopOnSignals.ts';

/** As many as `trimtab check` takes. */
const POINTS = 6;

/**
 * What `trimtab check` finds in a run, for its report.
 *
 * @throws CommandFailure if it can't be run, or is stopped before its end
 */
export async function checkLoaded(
  loaded: LoadedConfig,
  range: TimeRange,
  isStopped: () => boolean,
): Promise<{ check: ReportCheck }> {
  const tape = await loadTape({ ...loaded, config: { ...loaded.config, record: null } });
  if (!tape.ok) throw runFailed(tape.failure);
  const inRange = tapeInRange(tape.value, range);
  if (!inRange.ok) throw runFailed(inRange.failure);
  const onRun = (what: string): void => void process.stderr.write(`checking: ${what}\n`);
  const live = createCliEnv('error', true);
  const result = await checkBot({ ...inRange.value, live, points: POINTS, onRun, isStopped });
  if (isStopped())
    throw new CommandFailure(
      'TRIMTAB_INTERRUPTED',
      'Its check was interrupted; the run is complete, and shown without it.',
      INTERRUPTED,
    );
  if (!result.ok) throw runFailed(result.failure);
  const { findings, notes, runs } = result.value;
  return {
    check: {
      runs,
      notes,
      findings: findings.map(({ check, time, instance, words }) => ({
        check,
        time,
        strategy: instance,
        words,
      })),
    },
  };
}
