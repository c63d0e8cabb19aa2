import { RATIO_CONVENTION, shortfallByAlgo, worstDrawdown } from '../../statistics/index.ts';
import { yearRows } from './performance.ts';
import type { ReportData } from './ReportData.ts';
import { statistics } from './statistics.ts';
import { wholeCourse } from './wholeCourse.ts';

/**
 * A run's figures as JSON for other programs: what the report is drawn from, columns as arrays, and under
 * `figures` what it works out of that for the whole bot. Ratios are of what `ratios_of` says; those of fewer than
 * 7 `sharpe_days` are null, and of fewer than 30 they are chance.
 *
 * `totals.max_drawdown` and its two times are of every moment of the run. The curve has the moments at which
 * bars closed, and a long run's not all of them: `figures.curve_drawdown` is the fall that can be found in it,
 * and where.
 */
export function reportJson(data: ReportData): string {
  const course = wholeCourse(data);
  const { depth, peakTime, troughTime } = worstDrawdown(course.curve);
  const figures = {
    ...statistics(course),
    ratios_of: RATIO_CONVENTION,
    curve_drawdown: { amount: depth, peak_time: peakTime, trough_time: troughTime },
    months: yearRows(course.hourly),
    shortfalls: shortfallByAlgo(data.executions ?? []),
    round_trips: course.trips,
  };
  const text = JSON.stringify(
    { format: 'trimtab-figures', ...data, figures },
    (_name, value: unknown) =>
      ArrayBuffer.isView(value) ? Array.from(value as Float64Array) : value,
  );
  return `${text}\n`;
}
