import { parseTimeRange, type TimeRange } from '../../../backtest/TimeRange.ts';
import { formatTime } from '../../operate/index.ts';
import { CommandFailure } from '../failures/CommandFailure.ts';

/** The range of `--timerange`; the whole tape if it is not given. @throws CommandFailure */
export function readTimeRange(text: string | undefined): TimeRange {
  if (text === undefined) return {};
  const parsed = parseTimeRange(text);
  if (parsed.ok) return parsed.range;
  const remedy = 'Write FROM-UNTIL in UTC, such as 20250601-20250614, 20250601T06-, -20250614.';
  throw new CommandFailure('TRIMTAB_USAGE', `--timerange ${text}: ${parsed.reason}.\n  ${remedy}`);
}

/**
 * Warns if a range extends beyond the traded part of the tape: figures of a shorter span would look like
 * those of the range.
 */
export function noteOtherRange(
  range: TimeRange,
  traded: { from: number; until: number },
): string | undefined {
  const { from = traded.from, until = traded.until } = range;
  if (from === traded.from && until === traded.until) return undefined;
  const span = `${formatTime(traded.from)} to ${formatTime(traded.until)} UTC`;
  return `--timerange ${formatTime(from)} to ${formatTime(until)}: trading ${span}, the part that the tape covers.\n`;
}
