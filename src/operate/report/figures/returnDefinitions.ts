import { DAY_MS } from '../../../contract/durations.ts';
import {
  averageLoss,
  averageWin,
  expectedReturn,
  totalReturn,
  valuesAtPeriods,
  winRate,
} from '../../../statistics/index.ts';
import type { FigureDefinition, FigureInput } from './Figure.ts';
import { returnSince } from './returnSince.ts';

const months = ({ years }: FigureInput): number[] => present(years.flatMap((year) => year.shares));
const allYears = ({ years }: FigureInput): number[] => present(years.map((year) => year.share));
const present = (values: readonly (number | null)[]): number[] =>
  values.filter((value) => value !== null);
/** Changes of whole UTC days, quote units. */
const dailyGains = ({ equity }: FigureInput): number[] => {
  const ends = valuesAtPeriods(equity, DAY_MS);
  return ends.slice(1).map((value, day) => value - ends[day]!);
};
const highest = (values: readonly number[]): number | null =>
  values.length === 0 ? null : Math.max(...values);
const lowest = (values: readonly number[]): number | null =>
  values.length === 0 ? null : Math.min(...values);

/** What the run returned, and how its days, months and years went. */
export const returnDefinitions: readonly FigureDefinition[] = [
  {
    name: 'total_return',
    label: 'Total return',
    unit: 'share',
    needs: 'nothing',
    of: ({ data: { totals } }) =>
      totals.start_equity > 0 ? totals.pnl / totals.start_equity : null,
    formula: 'P&L ÷ equity at the start',
    source: 'quantstats stats.comp; Lean Net Profit; freqtrade Total profit %',
    unless: 'the run began without equity',
  },
  {
    name: 'pnl',
    label: 'P&L',
    unit: 'quote',
    needs: 'nothing',
    of: ({ data }) => data.totals.pnl,
    formula: 'realised and unrealised, after fees and funding',
    source: 'freqtrade Absolute profit',
  },
  {
    name: 'start_equity',
    label: 'Equity at the start',
    unit: 'quote',
    needs: 'nothing',
    of: ({ data }) => data.totals.start_equity,
    formula: 'over all wallets',
    source: 'Lean Start Equity; freqtrade Starting balance',
  },
  {
    name: 'end_equity',
    label: 'Equity at the end',
    unit: 'quote',
    needs: 'nothing',
    of: ({ data }) => data.totals.end_equity,
    formula: 'over all wallets',
    source: 'Lean End Equity; freqtrade Final balance',
  },
  {
    name: 'days_total_return',
    label: 'Return of whole days',
    unit: 'share',
    needs: 'day',
    of: ({ returns }) => totalReturn(returns),
    formula: 'Π (1 + r) − 1',
    source: 'quantstats stats.comp',
  },
  {
    name: 'cagr',
    label: 'CAGR',
    unit: 'share',
    needs: 'week',
    of: ({ statistics }) => statistics.cagr,
    formula: '(Π (1 + r))^(365 ÷ days) − 1',
    source: 'quantstats stats.cagr',
    unless: 'more than everything was lost',
  },
  {
    name: 'expected_day',
    label: 'Expected day',
    unit: 'share',
    needs: 'week',
    of: ({ returns }) => expectedReturn(returns),
    formula: '(Π (1 + r))^(1 ÷ n) − 1 of days',
    source: 'quantstats stats.expected_return',
    unless: 'more than everything was lost',
  },
  {
    name: 'expected_month',
    label: 'Expected month',
    unit: 'share',
    needs: 'week',
    of: (input) => expectedReturn(months(input)),
    formula: '(Π (1 + r))^(1 ÷ n) − 1 of months, the incomplete ones included',
    source: 'quantstats stats.expected_return, aggregate M',
    unless: 'a month began without equity',
  },
  {
    name: 'expected_year',
    label: 'Expected year',
    unit: 'share',
    needs: 'week',
    of: (input) => expectedReturn(allYears(input)),
    formula: '(Π (1 + r))^(1 ÷ n) − 1 of calendar years, the incomplete ones included',
    source: 'quantstats stats.expected_return, aggregate A',
    unless: 'a year began without equity',
  },
  ...(
    [
      ['mtd', 'Month to date', 'm', 0],
      ['three_months', 'Last 3 months', 'm', 3],
      ['six_months', 'Last 6 months', 'm', 6],
      ['ytd', 'Year to date', 'y', 0],
      ['one_year', 'Last 12 months', 'm', 12],
    ] as const
  ).map(([name, label, kind, count]): FigureDefinition => ({
    name,
    label,
    unit: 'share',
    needs: 'day',
    of: ({ equity }) => returnSince(equity, kind, count),
    formula: 'equity at the end ÷ equity at the beginning of the stretch − 1',
    source: 'quantstats reports.metrics',
    unless: 'the run is shorter',
  })),
  {
    name: 'best_day',
    label: 'Best day',
    unit: 'share',
    needs: 'day',
    of: ({ returns }) => highest(returns),
    formula: 'max r',
    source: 'quantstats stats.best',
  },
  {
    name: 'worst_day',
    label: 'Worst day',
    unit: 'share',
    needs: 'day',
    of: ({ returns }) => lowest(returns),
    formula: 'min r',
    source: 'quantstats stats.worst',
  },
  {
    name: 'best_day_money',
    label: 'Best day, in money',
    unit: 'quote',
    needs: 'day',
    of: (input) => highest(dailyGains(input)),
    formula: 'largest change of the equity in a whole UTC day',
    source: 'freqtrade Best day',
  },
  {
    name: 'worst_day_money',
    label: 'Worst day, in money',
    unit: 'quote',
    needs: 'day',
    of: (input) => lowest(dailyGains(input)),
    formula: 'smallest change of the equity in a whole UTC day',
    source: 'freqtrade Worst day',
  },
  {
    name: 'average_day_money',
    label: 'Average day, in money',
    unit: 'quote',
    needs: 'day',
    of: (input) => {
      const gains = dailyGains(input);
      return gains.reduce((total, gain) => total + gain, 0) / gains.length;
    },
    formula: 'mean change of the equity in a whole UTC day',
    source: 'freqtrade Avg. daily profit',
  },
  {
    name: 'best_month',
    label: 'Best month',
    unit: 'share',
    needs: 'day',
    of: (input) => highest(months(input)),
    formula: 'max r of months, the incomplete ones included',
    source: 'quantstats stats.best, aggregate M',
    unless: 'a month began without equity',
  },
  {
    name: 'worst_month',
    label: 'Worst month',
    unit: 'share',
    needs: 'day',
    of: (input) => lowest(months(input)),
    formula: 'min r of months, the incomplete ones included',
    source: 'quantstats stats.worst, aggregate M',
    unless: 'a month began without equity',
  },
  {
    name: 'best_year',
    label: 'Best year',
    unit: 'share',
    needs: 'day',
    of: (input) => highest(allYears(input)),
    formula: 'max r of calendar years, the incomplete ones included',
    source: 'quantstats stats.best, aggregate A',
    unless: 'a year began without equity',
  },
  {
    name: 'worst_year',
    label: 'Worst year',
    unit: 'share',
    needs: 'day',
    of: (input) => lowest(allYears(input)),
    formula: 'min r of calendar years, the incomplete ones included',
    source: 'quantstats stats.worst, aggregate A',
    unless: 'a year began without equity',
  },
  {
    name: 'average_up_month',
    label: 'Average up month',
    unit: 'share',
    needs: 'day',
    of: (input) => averageWin(months(input)),
    formula: 'mean r of months above zero',
    source: 'quantstats stats.avg_win, aggregate M',
    unless: 'no month was won',
  },
  {
    name: 'average_down_month',
    label: 'Average down month',
    unit: 'share',
    needs: 'day',
    of: (input) => averageLoss(months(input)),
    formula: 'mean r of months below zero',
    source: 'quantstats stats.avg_loss, aggregate M',
    unless: 'no month was lost',
  },
  {
    name: 'win_days',
    label: 'Days won',
    unit: 'share',
    needs: 'day',
    of: ({ returns }) => winRate(returns),
    formula: 'days above zero ÷ days that moved',
    source: 'quantstats stats.win_rate',
    unless: 'no day moved',
  },
  {
    name: 'win_months',
    label: 'Months won',
    unit: 'share',
    needs: 'day',
    of: (input) => winRate(months(input)),
    formula: 'months above zero ÷ months that moved',
    source: 'quantstats stats.win_rate, aggregate M',
    unless: 'no month moved',
  },
  {
    name: 'win_years',
    label: 'Years won',
    unit: 'share',
    needs: 'day',
    of: (input) => winRate(allYears(input)),
    formula: 'years above zero ÷ years that moved',
    source: 'quantstats stats.win_rate, aggregate A',
    unless: 'no year moved',
  },
];
