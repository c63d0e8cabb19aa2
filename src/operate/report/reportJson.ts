import { RATIO_CONVENTION, shortfallByAlgo, worstDrawdown } from '../../statistics/index.ts';
import { yearRows } from './performance.ts';
import type { ReportData } from './ReportData.ts';
import { statistics } from './statistics.ts';
import { wholeCourse } from './wholeCourse.ts';

/**
 * A run's figures as JSON for other programs: the report's data, columns as arrays, and under `figures`
 * the derived figures of the whole bot. `ratios_of` names the basis of the ratios; with fewer than 7
 * `sharpe_days` they are null, and with fewer than 30 they are not significant.
 *
 * `totals.max_drawdown` and its two times cover every instant of the run. The curve has only the instants
 * at which bars closed, and for a long run not all of them, though the extremes and the worst drawdowns remain:
 * `figures.curve_drawdown` is the drawdown of the curve, with its times.
 */
export function reportJson(data: ReportData): string {
  const course = wholeCourse(data);
  const { depth, peakTime, troughTime } = worstDrawdown(course.curve);
  const figures = {
    ...statistics(course),
    ratios_of: RATIO_CONVENTION,
    curve_drawdown: { amount: depth, peak_time: peakTime, trough_time: troughTime },
    months: yearRows(course.hourly, course.capital),
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
