import { shortfallByAlgo } from '../../statistics/index.ts';
import { yearRows } from './performance.ts';
import type { ReportData } from './ReportData.ts';
import { statistics } from './statistics.ts';
import { wholeCourse } from './wholeCourse.ts';

/**
 * A run's figures as JSON for other programs: what the report is drawn from, columns as arrays, and under
 * `figures` what it works out of that for the whole bot. A ratio of fewer than 30 `sharpe_days` is chance.
 */
export function reportJson(data: ReportData): string {
  const course = wholeCourse(data);
  const figures = {
    ...statistics(course),
    months: yearRows(course.hourly),
    shortfalls: shortfallByAlgo(data.executions ?? []),
    round_trips: course.trips,
  };
  const text = JSON.stringify({ ...data, figures }, (_name, value: unknown) =>
    ArrayBuffer.isView(value) ? Array.from(value as Float64Array) : value,
  );
  return `${text}\n`;
}
