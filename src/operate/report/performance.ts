import {
  dailyReturns,
  DAY_MS,
  monthlyChanges,
  rollingSharpe,
  type TimedValue,
} from '../../statistics/index.ts';

/** P&L of a year's months, quote units; null for a month that the run did not reach. */
export interface YearRow {
  year: number;
  months: (number | null)[];
  total: number;
}

export function yearRows(curve: readonly TimedValue[]): YearRow[] {
  const rows = new Map<number, YearRow>();
  for (const { year, month, change } of monthlyChanges(curve)) {
    const row = rows.get(year) ?? { year, months: Array<number | null>(12).fill(null), total: 0 };
    rows.set(year, row);
    row.months[month - 1] = (row.months[month - 1] ?? 0) + change;
    row.total += change;
  }
  return [...rows.values()];
}

/** Sharpe ratio over windows of days, annualised, at each window's end; null if nothing moved. */
export interface RollingSharpe {
  windowDays: number;
  /** Whole days of the run; fewer than a window give no ratio. */
  days: number;
  times: number[];
  values: (number | null)[];
}

const WINDOW_DAYS = 30;

/** @param capital equity at the curve's start */
export function rollingOf(curve: readonly TimedValue[], capital: number): RollingSharpe {
  const returns = dailyReturns(curve, capital);
  const values = rollingSharpe(returns, WINDOW_DAYS);
  const firstDay = Math.ceil((curve[0]?.[0] ?? 0) / DAY_MS) * DAY_MS;
  return {
    windowDays: WINDOW_DAYS,
    days: returns.length,
    times: values.map((_value, at) => firstDay + (at + WINDOW_DAYS) * DAY_MS),
    values: values.map((value) => (Number.isNaN(value) ? null : value)),
  };
}
