import {
  averageDrawdown,
  recoveryFactor,
  serenityIndex,
  ulcerIndex,
} from '../../../statistics/index.ts';
import type { FigureDefinition, FigureInput } from './Figure.ts';

const NO_FALL = 'the equity never fell below an earlier peak';

/** A run that was recorded by an older version, and that is too long for all of its instants to have been. */
const THINNED =
  'the version that recorded the run retained only some of its instants; make the backtest again';

const extreme = ({ equity }: FigureInput, pick: (a: number, b: number) => number): number => {
  let found = equity[0]![1];
  for (const [, value] of equity) found = pick(found, value);
  return found;
};

function lackOfInstants({ isThinned }: FigureInput): string | null {
  return isThinned ? THINNED : null;
}

/** How far and how long the equity was below an earlier peak. */
export const drawdownDefinitions: readonly FigureDefinition[] = [
  {
    name: 'max_drawdown',
    label: 'Largest drawdown',
    unit: 'share',
    needs: 'nothing',
    of: ({ data }) => data.totals.max_drawdown_share,
    formula: 'max (peak so far − equity) ÷ peak, over every instant of the run',
    source: 'quantstats stats.max_drawdown, Lean Drawdown, freqtrade Max % of account underwater',
  },
  {
    name: 'max_drawdown_money',
    label: 'Largest drawdown, in money',
    unit: 'quote',
    needs: 'nothing',
    of: ({ data }) => data.totals.max_drawdown,
    formula: 'max (peak so far − equity), over every instant of the run',
    source: 'freqtrade Absolute drawdown',
  },
  {
    name: 'max_drawdown_start',
    label: 'Largest drawdown from',
    unit: 'time',
    needs: 'nothing',
    of: ({ data }) => data.totals.max_drawdown_peak_time ?? null,
    formula: 'last time at the peak',
    source: 'quantstats, freqtrade Drawdown start',
    unless: NO_FALL,
  },
  {
    name: 'max_drawdown_valley',
    label: 'Largest drawdown deepest at',
    unit: 'time',
    needs: 'nothing',
    of: ({ data }) => data.totals.max_drawdown_trough_time ?? null,
    formula: 'lowest point of that drawdown',
    source: 'quantstats, freqtrade Drawdown end',
    unless: NO_FALL,
  },
  {
    name: 'longest_drawdown',
    label: 'Longest drawdown',
    unit: 'ms',
    needs: 'nothing',
    of: ({ statistics }) => statistics.longest_drawdown_ms,
    formula: 'longest stretch from a peak to its recovery, or to the end of the run',
    source: 'quantstats Longest DD Days; Lean Drawdown Recovery',
  },
  {
    name: 'average_drawdown',
    label: 'Average drawdown',
    unit: 'share',
    needs: 'nothing',
    lacks: lackOfInstants,
    of: ({ data, drawdowns }) => data.totals.average_drawdown ?? averageDrawdown(drawdowns),
    formula: 'mean depth of all drawdowns, over every instant of the run',
    source: 'quantstats Avg. Drawdown',
    unless: NO_FALL,
  },
  {
    name: 'average_drawdown_length',
    label: 'Average drawdown’s length',
    unit: 'ms',
    needs: 'nothing',
    lacks: lackOfInstants,
    of: ({ data, drawdowns }) =>
      data.totals.average_drawdown_ms ??
      (drawdowns.length === 0
        ? null
        : drawdowns.reduce((total, { durationMs }) => total + durationMs, 0) / drawdowns.length),
    formula: 'mean time from peak to recovery, or to the end of the run',
    source: 'quantstats Avg. Drawdown Days',
    unless: NO_FALL,
  },
  {
    name: 'recovery_factor',
    label: 'Recovery factor',
    unit: 'ratio',
    needs: 'week',
    of: ({ returns }) => recoveryFactor(returns),
    formula: '|Σ r| ÷ largest drawdown of the days',
    source: 'quantstats stats.recovery_factor',
    unless: 'the days had no drawdown',
  },
  {
    name: 'ulcer_index',
    label: 'Ulcer index',
    unit: 'share',
    needs: 'week',
    of: ({ returns }) => ulcerIndex(returns),
    formula: '√(Σ drawdown² ÷ (n − 1)) of the days',
    source: 'quantstats stats.ulcer_index',
  },
  {
    name: 'serenity_index',
    label: 'Serenity index',
    unit: 'ratio',
    needs: 'week',
    of: ({ returns }) => serenityIndex(returns),
    formula: 'Σ r ÷ (ulcer index × (−CVaR of the drawdowns ÷ sample deviation of r))',
    source: 'quantstats stats.serenity_index',
    unless: 'the days had no drawdown',
  },
  {
    name: 'lowest_equity',
    label: 'Lowest equity',
    unit: 'quote',
    needs: 'nothing',
    lacks: lackOfInstants,
    of: (input) => extreme(input, Math.min),
    formula: 'lowest equity, over every instant of the run',
    source: 'freqtrade Min balance',
  },
  {
    name: 'highest_equity',
    label: 'Highest equity',
    unit: 'quote',
    needs: 'nothing',
    lacks: lackOfInstants,
    of: (input) => extreme(input, Math.max),
    formula: 'highest equity, over every instant of the run',
    source: 'freqtrade Max balance',
  },
];
