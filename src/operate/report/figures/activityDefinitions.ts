import { DAY_MS } from '../../../contract/durations.ts';
import type { FigureDefinition, FigureInput } from './Figure.ts';

type Definition = Omit<FigureDefinition, 'needs'>;

const days = ({ data }: FigureInput): number => (data.endTime - data.startTime) / DAY_MS;
const aDay = (amount: number, input: FigureInput): number | null =>
  days(input) > 0 ? amount / days(input) : null;
const largest = (values: readonly (number | null)[]): number | null =>
  values.reduce((found, value) => (value === null ? found : Math.max(found ?? value, value)), null);
const average = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
};
const NO_EQUITY = 'there was no equity';

/** What was held and traded, and what it cost. */
const definitions: readonly Definition[] = [
  {
    name: 'time_in_market',
    label: 'Time in the market',
    unit: 'share',
    of: ({ statistics }) => statistics.time_in_market,
    formula: 'time with a position ÷ time of the run',
    source: 'quantstats Time in Market, by positions',
  },
  {
    name: 'average_exposure',
    label: 'Average exposure',
    unit: 'quote',
    of: ({ exposure }) => average(exposure.gross),
    formula: 'mean of Σ |size × price|, at the instants of the chart',
    source: 'Lean Exposure',
  },
  {
    name: 'largest_exposure',
    label: 'Largest exposure',
    unit: 'quote',
    of: ({ exposure }) => largest(exposure.gross),
    formula: 'max of Σ |size × price|, at the instants of the chart',
    source: 'Lean Exposure',
  },
  {
    name: 'average_leverage',
    label: 'Average leverage',
    unit: 'ratio',
    of: ({ exposure }) => average(exposure.leverage),
    formula: 'mean of exposure ÷ equity, at the instants of the chart',
    source: 'Lean Leverage',
    unless: NO_EQUITY,
  },
  {
    name: 'largest_leverage',
    label: 'Largest leverage',
    unit: 'ratio',
    of: ({ exposure }) => largest(exposure.leverage),
    formula: 'max of exposure ÷ equity, at the instants of the chart',
    source: 'Lean Leverage',
    unless: NO_EQUITY,
  },
  {
    name: 'fills',
    label: 'Fills',
    unit: 'count',
    of: ({ data }) => data.totals.fills,
    formula: 'parts of orders that were filled',
    source: 'Lean Total Orders counts orders',
  },
  {
    name: 'trades_a_day',
    label: 'Closed trades a day',
    unit: 'ratio',
    of: (input) => aDay(input.trades.filter(({ exit_time }) => exit_time !== null).length, input),
    formula: 'closed trades ÷ days of the run',
    source: 'freqtrade Daily Avg Trades',
    unless: 'the run has no length',
  },
  {
    name: 'turnover',
    label: 'Turnover',
    unit: 'quote',
    of: ({ statistics }) => statistics.turnover,
    formula: 'Σ price × size of fills',
    source: 'freqtrade Total trade volume',
  },
  {
    name: 'turnover_a_day',
    label: 'Turnover a day, of the equity',
    unit: 'share',
    of: (input) => {
      const { start_equity: start } = input.data.totals;
      return start > 0 ? aDay(input.statistics.turnover / start, input) : null;
    },
    formula: 'turnover ÷ equity at the start ÷ days of the run',
    source: 'Lean Portfolio Turnover, which has the equity of each day',
    unless: NO_EQUITY,
  },
  {
    name: 'fees',
    label: 'Fees',
    unit: 'quote',
    of: ({ data }) => data.totals.fees,
    formula: 'of venue and service',
    source: 'Lean Total Fees',
  },
  {
    name: 'fee_bps',
    label: 'Fees, basis points',
    unit: 'ratio',
    of: ({ statistics }) => statistics.fee_bps,
    formula: 'fees ÷ turnover × 10,000',
    source: 'ours',
    unless: 'nothing was filled',
  },
  {
    name: 'funding',
    label: 'Funding paid',
    unit: 'quote',
    of: ({ data }) => data.totals.funding ?? null,
    formula: 'above zero was paid',
    source: 'freqtrade, in the trades',
    unless: 'this run does not report it',
  },
  {
    name: 'maker_share',
    label: 'Filled as maker',
    unit: 'share',
    of: ({ statistics }) => statistics.maker_share,
    formula: 'turnover of maker fills ÷ turnover',
    source: 'ours',
    unless: 'nothing was filled',
  },
  {
    name: 'capacity',
    label: 'Capacity, estimated',
    unit: 'quote',
    of: ({ capacity }) => capacity.value,
    note: ({ capacity: { symbol } }) => (symbol === null ? null : `bounded by ${symbol}`),
    formula:
      'share × Σ volume of the bars after fills ÷ fills ÷ part of the market in the fills or the equity, of the market with the least volume, each week',
    source: 'Lean Estimated Strategy Capacity (Common/CapacityEstimate.cs, SymbolCapacity.cs)',
    unless: 'nothing was filled, or the bars have no volume',
  },
  ...(['emitted', 'accepted', 'denied', 'rejected', 'unknown', 'expired'] as const).map(
    (outcome): Definition => ({
      name: `intents_${outcome}`,
      label: `Intents ${outcome}`,
      unit: 'count',
      of: ({ data }) => data.totals.intents[outcome],
      formula: 'by their final status',
      source: 'freqtrade Rejected Entry signals, Entry/Exit Timeouts',
    }),
  ),
  {
    name: 'rate_limited',
    label: 'Answers with 429',
    unit: 'count',
    of: ({ data }) => data.totals.rate_limited,
    formula: 'answers of the service',
    source: 'ours',
  },
  {
    name: 'uncovered',
    label: 'Time without a stop',
    unit: 'ms',
    of: ({ data }) =>
      data.totals.uncovered === undefined ? null : data.totals.uncovered.total_seconds * 1_000,
    formula: 'time in which a part of a position had no acknowledged stop',
    source: 'ours',
    unless: 'this run does not report it',
  },
  {
    name: 'liquidations',
    label: 'Liquidations',
    unit: 'count',
    of: ({ data }) => data.liquidations?.length ?? null,
    formula: 'positions that the venue took over',
    source: 'freqtrade, as an exit reason',
    unless: 'this run does not report them',
  },
];

export const activityDefinitions: readonly FigureDefinition[] = definitions.map((definition) => ({
  ...definition,
  needs: 'nothing',
}));
