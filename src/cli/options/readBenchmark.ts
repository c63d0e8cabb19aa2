import { basename } from 'node:path';
import { DAY_MS } from '../../contract/durations.ts';
import { formatTime } from '../../operate/index.ts';
import type { ReportBenchmark, ReportData } from '../../operate/report/index.ts';
import { describeFeedProblem } from '../../paper/index.ts';
import { CommandFailure } from '../failures/CommandFailure.ts';

/** A day's close may be stamped at its begin or its end, and an exchange closes at weekends and on holidays. */
const CLOSED_DAYS = 4;

/**
 * The closes that `--benchmark` names.
 *
 * @throws CommandFailure with file, line, value and remedy
 */
export async function readBenchmark(path: string): Promise<ReportBenchmark> {
  const { readCloses } = await import('../../../backtest/data/index.ts');
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
  const slack = (typicalStep(closes) >= DAY_MS ? CLOSED_DAYS : 1) * DAY_MS;
  const isWithin = closes.some(([time]) => time > run.startTime && time <= run.endTime);
  if (isWithin && from <= run.startTime + slack && until >= run.endTime - slack) return;
  const none = isWithin ? '' : ', without any of them';
  throw new CommandFailure(
    'TRIMTAB_DATA_REFUSED',
    `${name}: its closes are from ${formatTime(from)} until ${formatTime(until)}, and the run is from ${formatTime(run.startTime)} until ${formatTime(run.endTime)} (UTC)${none}.\n  Name a file that covers the run.`,
  );
}

/** Median of the times between two closes: a change of the clock, a weekend or a gap does not move it; 0 for one close. */
function typicalStep(closes: ReportBenchmark['closes']): number {
  const steps = closes.slice(1).map(([time], at) => time - closes[at]![0]);
  return steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0;
}
