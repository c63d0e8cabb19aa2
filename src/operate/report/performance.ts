import { monthlyChanges, type TimedValue } from '../../statistics/index.ts';

/** P&L of a year's months, quote units; null for a month that the run did not reach. */
export interface YearRow {
  year: number;
  months: (number | null)[];
  total: number;
  /** The same over the equity at the beginning of the month or year (0.1 is 10 %); null without equity then. */
  shares: (number | null)[];
  share: number | null;
}

/** The year that is being added up, with the equity at which it and its months began. */
interface OpenYear extends YearRow {
  began: number;
  monthsBegan: number[];
}

/** @param capital equity at the curve's start, quote units */
export function yearRows(curve: readonly TimedValue[], capital: number): YearRow[] {
  const rows = new Map<number, OpenYear>();
  let equity = capital;
  for (const { year, month, change } of monthlyChanges(curve)) {
    const row = rows.get(year) ?? beginYear(year, equity);
    rows.set(year, row);
    row.monthsBegan[month - 1] ??= equity;
    row.months[month - 1] = (row.months[month - 1] ?? 0) + change;
    row.total += change;
    equity += change;
  }
  return [...rows.values()].map(({ began, monthsBegan, ...row }) => ({
    ...row,
    shares: row.months.map((change, month) => shareOf(change, monthsBegan[month])),
    share: shareOf(row.total, began),
  }));
}

function beginYear(year: number, began: number): OpenYear {
  const months = (): null[] => Array<null>(12).fill(null);
  return {
    year,
    months: months(),
    total: 0,
    shares: months(),
    share: null,
    began,
    monthsBegan: [],
  };
}

function shareOf(change: number | null, equity: number | undefined): number | null {
  return change === null || equity === undefined || equity <= 0 ? null : change / equity;
}
