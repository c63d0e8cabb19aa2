import {
  calmarRatio,
  DAY_MS,
  DAYS_A_YEAR,
  HOUR_MS,
  periodChanges,
  sharpeRatio,
  sortinoRatio,
  timeInMarket,
  worstDrawdown,
  type TimedValue,
} from '../../statistics/index.ts';
import type { ReportFill } from './ReportData.ts';
import type { RoundTrip } from './roundTrips.ts';

/** Figures that follow from fills, trades and the curve; null where there is nothing to divide by. */
export interface Statistics {
  /** Closed ones. */
  trades: number;
  /** Positions that the run ended with. */
  open_trades: number;
  /** Share of closed trades that earned, after fees. */
  win_rate: number | null;
  /** What winners earned over what losers lost. */
  profit_factor: number | null;
  average_trade: number | null;
  average_hold_ms: number | null;
  /** Notional of all fills, quote units. */
  turnover: number;
  /** Share of that notional that was filled as maker. */
  maker_share: number | null;
  /** Fees over notional, basis points. */
  fee_bps: number | null;
  /** Of hourly changes, annualised over 365 days; no risk-free rate. */
  sharpe: number | null;
  sortino: number | null;
  /** A year's P&L at this pace over the largest drawdown, which is the one that the run tells. */
  calmar: number | null;
  /** Days of hourly changes behind these ratios. */
  sharpe_days: number;
  /** Longest stretch below an earlier peak. */
  longest_drawdown_ms: number;
  /** Share of the run in which a position was held. */
  time_in_market: number;
}

/** What the figures are worked out from. */
export interface RunCourse {
  fills: readonly ReportFill[];
  trips: readonly RoundTrip[];
  /** P&L since the start, thinned on a long run. */
  curve: readonly TimedValue[];
  /** The same with the last point of each hour, never thinned. */
  hourly: readonly TimedValue[];
  /** Largest fall of that from its peak as the run measured it, quote units. */
  maxDrawdown: number;
  /** Longest stretch below a peak as the run measured it; where it did not, the curve tells. */
  longestDrawdownMs?: number | undefined;
  from: number;
  until: number;
}

const HOURS_A_DAY = DAY_MS / HOUR_MS;
const HOURS_A_YEAR = HOURS_A_DAY * DAYS_A_YEAR;

/** Fewer hours than this say nothing about a ratio. */
const FEWEST_HOURS = 24;

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
  'sharpe' | 'sortino' | 'calmar' | 'sharpe_days' | 'longest_drawdown_ms'
>;

function ratiosOf({
  curve,
  hourly,
  maxDrawdown: drawdown,
  longestDrawdownMs: longest,
}: RunCourse): Ratios {
  const changes = periodChanges(hourly, HOUR_MS);
  const isEnough = changes.length >= FEWEST_HOURS;
  const [first, last] = [hourly[0] ?? [0, 0], hourly.at(-1) ?? [0, 0]];
  const [pnl, days] = [last[1] - first[1], (last[0] - first[0]) / DAY_MS];
  return {
    sharpe: isEnough ? sharpeRatio(changes, HOURS_A_YEAR) : null,
    sortino: isEnough ? sortinoRatio(changes, HOURS_A_YEAR) : null,
    calmar: isEnough ? calmarRatio({ pnl, drawdown, days }, DAYS_A_YEAR) : null,
    sharpe_days: changes.length / HOURS_A_DAY,
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
