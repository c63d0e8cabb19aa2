import {
  annualGrowth,
  calmarRatio,
  dailyReturns,
  sharpeRatio,
  sortinoRatio,
  timeInMarket,
  volatility,
  worstDrawdown,
  type TimedValue,
} from '../../statistics/index.ts';
import type { ReportFill } from './ReportData.ts';
import type { RoundTrip } from './roundTrips.ts';

/** Figures that follow from fills, trades and the curve; null if there is nothing to divide by. */
export interface Statistics {
  /** Closed ones. */
  trades: number;
  /** Positions that the run ended with. */
  open_trades: number;
  /** Share of closed trades with a profit, after fees. */
  win_rate: number | null;
  /** Profit of the winners over loss of the losers. */
  profit_factor: number | null;
  average_trade: number | null;
  average_hold_ms: number | null;
  /** Notional of all fills, quote units. */
  turnover: number;
  /** Share of that notional that was filled as maker. */
  maker_share: number | null;
  /** Fees over notional, basis points. */
  fee_bps: number | null;
  /** Ratios of daily UTC returns of equity, annualised with √365 (`RATIO_CONVENTION`). */
  sharpe: number | null;
  sortino: number | null;
  /**
   * Compound annual growth over the largest drawdown of the daily equity, which is at most that of all
   * instants.
   */
  calmar: number | null;
  /** Fractions per year: 0.1 is 10 %. */
  cagr: number | null;
  volatility: number | null;
  /** Number of whole UTC days behind these; fewer than {@link FEWEST_RETURNS} give null. */
  sharpe_days: number;
  /** Longest stretch below an earlier peak. */
  longest_drawdown_ms: number;
  /** Share of the run in which a position was held. */
  time_in_market: number;
}

/** Input of the figures. */
export interface RunCourse {
  fills: readonly ReportFill[];
  trips: readonly RoundTrip[];
  /** P&L since the start, thinned on a long run. */
  curve: readonly TimedValue[];
  /** The same with the last point of each hour, never thinned. */
  hourly: readonly TimedValue[];
  /** Equity at the start, quote units: the basis of returns, a strategy's too. */
  capital: number;
  /** Longest time below a peak as the run measured it; else it is taken from the curve. */
  longestDrawdownMs?: number | undefined;
  from: number;
  until: number;
}

/** Ratios of less than a week are meaningless. */
export const FEWEST_RETURNS = 7;

export function statistics(course: RunCourse): Statistics {
  const { fills, trips, from, until } = course;
  const closed = trips.filter((trip) => trip.exit_time !== null);
  const won = closed.filter(({ pnl }) => pnl > 0);
  const gain = sum(won.map(({ pnl }) => pnl));
  const loss = -sum(closed.filter(({ pnl }) => pnl < 0).map(({ pnl }) => pnl));
  const turnover = sum(fills.map(notional));
  const made = sum(fills.filter(({ liquidity }) => liquidity === 'maker').map(notional));
  return {
    trades: closed.length,
    open_trades: trips.length - closed.length,
    win_rate: ratio(won.length, closed.length),
    profit_factor: ratio(gain, loss),
    average_trade: ratio(gain - loss, closed.length),
    average_hold_ms: ratio(sum(closed.map(holdMs)), closed.length),
    turnover,
    maker_share: ratio(made, turnover),
    fee_bps: ratio(sum(fills.map(({ fee }) => fee)) * 10_000, turnover),
    ...ratiosOf(course),
    time_in_market: timeInMarket(trips, { from, until }),
  };
}

type Ratios = Pick<
  Statistics,
  'sharpe' | 'sortino' | 'calmar' | 'cagr' | 'volatility' | 'sharpe_days' | 'longest_drawdown_ms'
>;

function ratiosOf({ curve, hourly, capital, longestDrawdownMs: longest }: RunCourse): Ratios {
  const returns = dailyReturns(hourly, capital);
  const of = (figure: (returns: readonly number[]) => number | null): number | null =>
    returns.length < FEWEST_RETURNS ? null : figure(returns);
  return {
    sharpe: of(sharpeRatio),
    sortino: of(sortinoRatio),
    calmar: of(calmarRatio),
    cagr: of(annualGrowth),
    volatility: of(volatility),
    sharpe_days: returns.length,
    longest_drawdown_ms: longest ?? worstDrawdown(curve).longestMs,
  };
}

function notional({ price, size }: ReportFill): number {
  return price * size;
}

function holdMs({ entry_time, exit_time }: RoundTrip): number {
  return (exit_time ?? entry_time) - entry_time;
}

function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
