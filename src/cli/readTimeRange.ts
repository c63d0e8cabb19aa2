import { parseTimeRange, type TimeRange } from '../../backtest/index.ts';
import { CommandFailure } from './CommandFailure.ts';

/** What `--timerange` says; all of the tape where it is not given. @throws CommandFailure */
export function readTimeRange(text: string | undefined): TimeRange {
  if (text === undefined) return {};
  const parsed = parseTimeRange(text);
  if (parsed.ok) return parsed.range;
  const remedy = 'Write FROM-UNTIL in UTC, such as 20250601-20250614, 20250601T06-, -20250614.';
  throw new CommandFailure(`--timerange ${text}: ${parsed.reason}.\n  ${remedy}`);
}
