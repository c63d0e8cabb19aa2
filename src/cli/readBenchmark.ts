import { basename } from 'node:path';
import { DAY_MS } from '../contract/durations.ts';
import { formatTime } from '../operate/index.ts';
import type { ReportBenchmark, ReportData } from '../operate/report/index.ts';
import { describeFeedProblem } from '../paper/index.ts';
import { CommandFailure } from './CommandFailure.ts';

/** A day's close may be stamped at its begin or its end, and an exchange closes at weekends and on holidays. */
const SLACK_MS = 4 * DAY_MS;

/**
 * The closes that `--benchmark` names.
 *
 * @throws CommandFailure with file, line, value and remedy
 */
export async function readBenchmark(path: string): Promise<ReportBenchmark> {
  const { readCloses } = await import('../../backtest/data/index.ts');
  const read = await readCloses(path);
  if (!read.ok) throw new CommandFailure('TRIMTAB_DATA_REFUSED', describeFeedProblem(read.problem));
  return { name: basename(path), closes: read.value };
}

/**
 * A run with the benchmark and the grouping of trades that the flags ask for.
 *
 * @throws CommandFailure for closes that don't cover the run
 */
export function withReportSettings(
  data: ReportData,
  settings: Pick<ReportData, 'benchmark' | 'trade_grouping'>,
): ReportData {
  const { benchmark } = settings;
  if (benchmark !== undefined) requireCover(benchmark, data);
  return { ...data, ...settings };
}

function requireCover({ name, closes }: ReportBenchmark, run: ReportData): void {
  const [from, until] = [closes[0]![0], closes.at(-1)![0]];
  if (from <= run.startTime + SLACK_MS && until >= run.endTime - SLACK_MS) return;
  throw new CommandFailure(
    'TRIMTAB_DATA_REFUSED',
    `${name}: its closes are from ${formatTime(from)} until ${formatTime(until)}, and the run is from ${formatTime(run.startTime)} until ${formatTime(run.endTime)} (UTC).\n  Name a file that covers the run.`,
  );
}
