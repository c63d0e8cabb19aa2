import type { TimedValue } from '../../statistics/index.ts';
import { addCurves, pinEnds } from './curves.ts';
import type { ReportData } from './ReportData.ts';
import { roundTrips, type FillRole } from './roundTrips.ts';
import type { RunCourse } from './statistics.ts';

/** What the whole bot did: fills in order, the trades that they make, P&L from zero to the run's end. */
export function wholeCourse(data: ReportData): RunCourse & { roles: FillRole[] } {
  const { startTime: from, endTime: until, totals } = data;
  const fills = data.fills.toSorted((a, b) => a.time - b.time);
  const { roundTrips: trips, roles } = roundTrips(fills);
  return { fills, trips, roles, curve: pinTo(data)(totalPnl(data), totals.pnl), from, until };
}

/** Pins a P&L curve of the run to its ends. */
export function pinTo({ startTime, endTime }: ReportData) {
  return (curve: readonly TimedValue[], pnl: number): TimedValue[] =>
    pinEnds(curve, { startTime, endTime, pnl });
}

function totalPnl({ equity, strategies, totals }: ReportData): TimedValue[] {
  if (equity === undefined) return addCurves(strategies.map((strategy) => strategy.equity));
  return equity.map(([time, value]) => [time, value - totals.start_equity] as const);
}
