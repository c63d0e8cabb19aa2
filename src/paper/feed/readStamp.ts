import type { CsvFault, CsvRows } from './CsvRows.ts';
import { parseIsoTime } from './parseIsoTime.ts';
import type { TimeScale } from './TimeScale.ts';

/**
 * The time in a field of the current row, epoch milliseconds with a fraction; else the problem with it.
 */
export function readStamp(rows: CsvRows, field: number, scale: TimeScale): number | CsvFault {
  const written = rows.number(field);
  if (!Number.isFinite(written)) {
    const calendar = parseIsoTime(rows.text(field));
    if (Number.isFinite(calendar)) return calendar;
    return rows.fault(
      field,
      'is not a time.',
      'Times are epoch seconds, milliseconds or finer, or 2024-01-31T08:00:00Z.',
    );
  }
  const ms = scale.toMs(written);
  if (ms !== null) return ms;
  const { message, remedy } = scale.mixed();
  return rows.fault(field, message, remedy);
}
