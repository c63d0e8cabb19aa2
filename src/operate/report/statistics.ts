import type { ReportFill, TimedValue } from './ReportData.ts';
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
  /** Mean over deviation of hourly changes, annualised; no risk-free rate. */
  sharpe: number | null;
  /** Days of hourly changes behind that ratio. */
  sharpe_days: number;
}

const HOUR_MS = 3_600_000;
const HOURS_A_DAY = 24;
const HOURS_A_YEAR = HOURS_A_DAY * 365;

/** Fewer hours than this say nothing about a ratio. */
const FEWEST_HOURS = 24;

export function statistics(
  fills: readonly ReportFill[],
  trips: readonly RoundTrip[],
  curve: readonly TimedValue[],
): Statistics {
  const changes = hourlyChanges(curve);
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
    sharpe: sharpe(changes),
    sharpe_days: changes.length / HOURS_A_DAY,
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

function sharpe(changes: readonly number[]): number | null {
  if (changes.length < FEWEST_HOURS) return null;
  const mean = sum(changes) / changes.length;
  const variance = sum(changes.map((change) => (change - mean) ** 2)) / (changes.length - 1);
  return variance === 0 ? null : (mean / Math.sqrt(variance)) * Math.sqrt(HOURS_A_YEAR);
}

/** Change of the curve in each whole hour; an hour without a point changed nothing. */
function hourlyChanges(curve: readonly TimedValue[]): number[] {
  const changes: number[] = [];
  const first = curve[0];
  if (first === undefined) return changes;
  let [hourEnd, before, last] = [Math.floor(first[0] / HOUR_MS + 1) * HOUR_MS, first[1], first[1]];
  for (const [time, value] of curve) {
    for (; time >= hourEnd; hourEnd += HOUR_MS) {
      changes.push(last - before);
      before = last;
    }
    last = value;
  }
  return changes;
}
