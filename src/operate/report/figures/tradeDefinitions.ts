import {
  averageLoss,
  averageWin,
  expectancy,
  longestStreak,
  momentsOf,
  payoffRatio,
  quantile,
} from '../../../statistics/index.ts';
import type { FigureDefinition, FigureInput } from './Figure.ts';
import type { MeasuredTrade } from './measureTrades.ts';

type Definition = Omit<FigureDefinition, 'needs'>;
const NO_WIN = 'no trade was won';
const NO_LOSS = 'no trade was lost';

type Closed = MeasuredTrade & { exit_time: number };
const closed = ({ trades }: FigureInput): Closed[] =>
  trades.filter((trade): trade is Closed => trade.exit_time !== null);
/** P&L in the order of the exits. */
const results = (input: FigureInput): number[] =>
  closed(input)
    .toSorted((a, b) => a.exit_time - b.exit_time)
    .map(({ pnl }) => pnl);
const holds = (trades: readonly Closed[]): number[] =>
  trades.map((trade) => trade.exit_time - trade.entry_time);
const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((total, value) => total + value, 0) / values.length;
const extreme = (
  values: readonly (number | null)[],
  pick: (a: number, b: number) => number,
): number | null =>
  values.reduce((found, value) => (value === null ? found : pick(found ?? value, value)), null);
const won = (input: FigureInput): Closed[] => closed(input).filter(({ pnl }) => pnl > 0);
const lost = (input: FigureInput): Closed[] => closed(input).filter(({ pnl }) => pnl < 0);
const known = (values: readonly (number | null)[]): number[] =>
  values.filter((value) => value !== null);

const SAME = 'Lean TradeStatistics';

/** Of closed trades, after fees: round trips, or lots. */
const definitions: readonly Definition[] = [
  {
    name: 'win_rate',
    label: 'Won',
    unit: 'share',
    of: (input) => won(input).length / closed(input).length,
    formula: 'trades with a profit ÷ trades',
    source: 'Lean Win Rate; freqtrade Win%',
  },
  {
    name: 'profit_factor',
    label: 'Profit factor',
    unit: 'ratio',
    of: (input) => {
      const loss = lost(input).reduce((total, { pnl }) => total - pnl, 0);
      return loss === 0 ? null : won(input).reduce((total, { pnl }) => total + pnl, 0) / loss;
    },
    formula: 'Σ profits ÷ |Σ losses|',
    source: 'Lean ProfitFactor; freqtrade Profit factor',
    unless: NO_LOSS,
  },
  {
    name: 'payoff_ratio',
    label: 'Payoff ratio',
    unit: 'ratio',
    of: (input) => payoffRatio(results(input)),
    formula: 'average profit ÷ |average loss|',
    source: 'Lean Profit-Loss Ratio',
    unless: 'no trade was won, or none was lost',
  },
  {
    name: 'expectancy',
    label: 'Expectancy',
    unit: 'quote',
    of: (input) => expectancy(results(input)),
    formula: 'win rate × average profit − loss rate × |average loss|, which is the mean',
    source: 'freqtrade Expectancy',
  },
  {
    name: 'expectancy_ratio',
    label: 'Expectancy ratio',
    unit: 'ratio',
    of: (input) => {
      const [payoff, count] = [payoffRatio(results(input)), closed(input).length];
      return payoff === null ? null : (1 + payoff) * (won(input).length / count) - 1;
    },
    formula: '(1 + payoff ratio) × win rate − 1',
    source: 'freqtrade Expectancy (Ratio); Lean Expectancy',
    unless: 'no trade was won, or none was lost',
  },
  {
    name: 'system_quality',
    label: 'System quality number',
    unit: 'ratio',
    of: (input) => {
      const { count, mean: middle, deviation } = momentsOf(results(input));
      return deviation > 0 ? (Math.sqrt(count) * middle) / deviation : null;
    },
    formula: '√n × mean P&L ÷ sample deviation of P&L',
    source: 'freqtrade SQN, after Van Tharp',
    unless: 'fewer than two trades, or all alike',
  },
  {
    name: 'average_win',
    label: 'Average profit',
    unit: 'quote',
    of: (input) => averageWin(results(input)),
    formula: 'mean P&L of trades with a profit',
    source: SAME,
    unless: NO_WIN,
  },
  {
    name: 'average_loss',
    label: 'Average loss',
    unit: 'quote',
    of: (input) => averageLoss(results(input)),
    formula: 'mean P&L of trades with a loss',
    source: SAME,
    unless: NO_LOSS,
  },
  {
    name: 'best_trade',
    label: 'Best trade',
    unit: 'quote',
    of: (input) => extreme(results(input), Math.max),
    formula: 'max P&L',
    source: `${SAME}; freqtrade Best trade`,
  },
  {
    name: 'worst_trade',
    label: 'Worst trade',
    unit: 'quote',
    of: (input) => extreme(results(input), Math.min),
    formula: 'min P&L',
    source: `${SAME}; freqtrade Worst trade`,
  },
  {
    name: 'average_trade_return',
    label: 'Average trade, of its size',
    unit: 'share',
    of: (input) => mean(known(closed(input).map((trade) => trade.return))),
    formula: 'mean of P&L ÷ (largest size × average entry price)',
    source: 'freqtrade Avg Profit %',
    unless: 'no trade has a size',
  },
  {
    name: 'trade_deviation',
    label: 'Deviation of P&L',
    unit: 'quote',
    of: (input) => {
      const { count, deviation } = momentsOf(results(input));
      return count < 2 ? null : deviation;
    },
    formula: 'sample deviation of P&L',
    source: SAME,
    unless: 'there is one trade',
  },
  {
    name: 'won_in_a_row',
    label: 'Won in a row, most',
    unit: 'count',
    of: (input) => longestStreak(results(input), 1),
    formula: 'longest run of profits, in the order of exits',
    source: `${SAME}; freqtrade Max Consecutive Wins`,
  },
  {
    name: 'lost_in_a_row',
    label: 'Lost in a row, most',
    unit: 'count',
    of: (input) => longestStreak(results(input), -1),
    formula: 'longest run of losses, in the order of exits',
    source: `${SAME}; freqtrade Max Consecutive Loss`,
  },
  {
    name: 'average_hold',
    label: 'Average holding time',
    unit: 'ms',
    of: (input) => mean(holds(closed(input))),
    formula: 'mean of exit − entry',
    source: SAME,
  },
  {
    name: 'median_hold',
    label: 'Median holding time',
    unit: 'ms',
    of: (input) => quantile(holds(closed(input)), 0.5),
    formula: 'median of exit − entry',
    source: SAME,
  },
  {
    name: 'average_winner_hold',
    label: 'Winners’ holding time',
    unit: 'ms',
    of: (input) => mean(holds(won(input))),
    formula: 'mean of exit − entry of profits',
    source: `${SAME}; freqtrade Avg. Duration Winners`,
    unless: NO_WIN,
  },
  {
    name: 'average_loser_hold',
    label: 'Losers’ holding time',
    unit: 'ms',
    of: (input) => mean(holds(lost(input))),
    formula: 'mean of exit − entry of losses',
    source: `${SAME}; freqtrade Avg. Duration Loser`,
    unless: NO_LOSS,
  },
  {
    name: 'shortest_hold',
    label: 'Shortest holding time',
    unit: 'ms',
    of: (input) => extreme(holds(closed(input)), Math.min),
    formula: 'min of exit − entry',
    source: 'freqtrade Min Duration',
  },
  {
    name: 'longest_hold',
    label: 'Longest holding time',
    unit: 'ms',
    of: (input) => extreme(holds(closed(input)), Math.max),
    formula: 'max of exit − entry',
    source: 'freqtrade Max Duration',
  },
  {
    name: 'average_size',
    label: 'Average size',
    unit: 'quote',
    of: (input) => mean(closed(input).map((trade) => trade.size * trade.entry_price)),
    formula: 'mean of largest size × average entry price',
    source: 'freqtrade Avg. stake amount',
  },
  {
    name: 'average_mae',
    label: 'Average adverse excursion',
    unit: 'share',
    of: (input) => mean(known(closed(input).map(({ mae }) => mae))),
    formula: 'mean of (worst price − entry price) ÷ entry price, by direction',
    source: SAME,
    unless: 'the symbols have no bars',
  },
  {
    name: 'worst_mae',
    label: 'Worst adverse excursion',
    unit: 'share',
    of: (input) =>
      extreme(
        closed(input).map(({ mae }) => mae),
        Math.min,
      ),
    formula: 'min of (worst price − entry price) ÷ entry price, by direction',
    source: SAME,
    unless: 'the symbols have no bars',
  },
  {
    name: 'average_mfe',
    label: 'Average favourable excursion',
    unit: 'share',
    of: (input) => mean(known(closed(input).map(({ mfe }) => mfe))),
    formula: 'mean of (best price − entry price) ÷ entry price, by direction',
    source: SAME,
    unless: 'the symbols have no bars',
  },
  {
    name: 'best_mfe',
    label: 'Best favourable excursion',
    unit: 'share',
    of: (input) =>
      extreme(
        closed(input).map(({ mfe }) => mfe),
        Math.max,
      ),
    formula: 'max of (best price − entry price) ÷ entry price, by direction',
    source: SAME,
    unless: 'the symbols have no bars',
  },
];

const COUNTS: readonly FigureDefinition[] = [
  {
    name: 'trades',
    label: 'Closed trades',
    unit: 'count',
    needs: 'nothing',
    of: (input) => closed(input).length,
    formula: 'round trips from flat to flat, or lots by FIFO',
    source: 'Lean FillGroupingMethod FlatToFlat, FillToFill',
  },
  {
    name: 'open_trades',
    label: 'Open at the end',
    unit: 'count',
    needs: 'nothing',
    of: (input) => input.trades.length - closed(input).length,
    formula: 'trades without an exit',
    source: 'freqtrade Left open trades',
  },
];

export const tradeDefinitions: readonly FigureDefinition[] = [
  ...COUNTS,
  ...definitions.map((definition) => ({ ...definition, needs: 'trade' as const })),
];
