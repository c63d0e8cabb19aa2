import type { TimedValue } from '../../statistics/index.ts';
import { addCurves, pinEnds } from './curves.ts';
import { lots } from './figures/lots.ts';
import type { ReportData, ReportStrategy } from './ReportData.ts';
import { roundTrips, type FillRole } from './roundTrips.ts';
import type { RunCourse } from './statistics.ts';

/** The whole bot's history: fills in order, their trades, P&L from zero to the run's end. */
export function wholeCourse(data: ReportData): RunCourse & { roles: FillRole[] } {
  const { startTime: from, endTime: until, totals } = data;
  const fills = data.fills.toSorted((a, b) => a.time - b.time);
  const { roundTrips: whole, roles } = roundTrips(fills);
  const trips = data.trade_grouping === 'lots' ? lots(fills) : whole;
  const { start_equity: capital, longest_drawdown_ms: longestDrawdownMs } = totals;
  const measured = { capital, longestDrawdownMs };
  return { fills, trips, roles, ...totalCurves(data), ...measured, from, until };
}

/** P&L of the whole bot, as drawn and by hour. */
function totalCurves(data: ReportData): Pick<RunCourse, 'curve' | 'hourly'> {
  const pin = pinTo(data);
  const { strategies, totals, equity, hourly = equity } = data;
  const earned = (
    reported: readonly TimedValue[] | undefined,
    own: (strategy: ReportStrategy) => readonly TimedValue[],
  ): readonly TimedValue[] =>
    reported?.map(([time, value]) => [time, value - totals.start_equity] as const) ??
    addCurves(strategies.map(own));
  return {
    curve: pin(
      earned(equity, (one) => one.equity),
      totals.pnl,
    ),
    hourly: pin(earned(hourly, hourlyOf), totals.pnl),
  };
}

/** A run without an hourly curve uses its normal one. */
export function hourlyOf({ hourly, equity }: ReportStrategy): readonly TimedValue[] {
  return hourly ?? equity;
}

/** Pins a P&L curve of the run to its ends. */
export function pinTo({ startTime, endTime }: ReportData) {
  return (curve: readonly TimedValue[], pnl: number): TimedValue[] =>
    pinEnds(curve, { startTime, endTime, pnl });
}
