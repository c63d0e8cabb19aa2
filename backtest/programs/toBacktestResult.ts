import {
  renderReport,
  reportJson,
  statistics,
  wholeCourse,
  type ReportData,
} from '../../src/operate/report/index.ts';
import type { PaperRun } from '../../src/operate/run/index.ts';
import type { TimedValue } from '../../src/statistics/index.ts';
import type { BacktestResult } from './BacktestResult.ts';

export function toBacktestResult(run: PaperRun): BacktestResult {
  const { data, suppressed, refusals } = run;
  const { hash, startTime, endTime, fills, intents, executions = [], assumptions } = data;
  const course = wholeCourse(data);
  return {
    hash,
    startTime,
    endTime,
    figures: { ...data.totals, ...statistics(course) },
    trades: course.trips,
    fills,
    intents,
    executions,
    curves: { equity: data.equity ?? [], strategies: curvesOf(data) },
    suppressed,
    refusals,
    assumptions,
    toJson: () => reportJson({ ...data, about: run.about() }),
    toHtml: () => renderReport({ ...data, about: run.about() }),
  };
}

function curvesOf({ strategies }: ReportData): Record<string, readonly TimedValue[]> {
  return Object.fromEntries(strategies.map(({ name, equity }) => [name, equity]));
}
