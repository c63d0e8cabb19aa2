import type { MeasuredTrade } from './measureTrades.ts';

/** Closed trades that have something in common; money in quote units, after fees. */
export interface TradeGroup {
  key: string;
  trades: number;
  won: number;
  /** Without a profit or a loss. */
  drawn: number;
  lost: number;
  /** Share of the trades with a profit; null without a trade, as are the averages and extremes. */
  win_rate: number | null;
  pnl: number;
  /** Over the equity at the start of the run; null if there was none. */
  pnl_share: number | null;
  average: number | null;
  /** Mean of the trades' returns of their size. */
  average_return: number | null;
  best: number | null;
  worst: number | null;
  /** Profit of the winners over loss of the losers; null without a loser. */
  profit_factor: number | null;
  average_hold_ms: number | null;
  fees: number;
}

/** How trades are grouped. */
export interface Breakdown {
  /** Equity at the start of the run. */
  capital: number;
  keyOf: (trade: MeasuredTrade) => string;
  /** The groups and their order; absent: those that there are, by P&L. */
  keys?: readonly string[];
}

/**
 * Groups closed trades, in the order of `keys` if given (each is then there, without trades too), else by P&L, best
 * first.
 */
export function breakdown(
  trades: readonly MeasuredTrade[],
  { capital, keyOf, keys }: Breakdown,
): TradeGroup[] {
  const groups = new Map<string, MeasuredTrade[]>((keys ?? []).map((key) => [key, []]));
  for (const trade of trades) {
    if (trade.exit_time === null) continue;
    const key = keyOf(trade);
    const group = groups.get(key) ?? [];
    group.push(trade);
    groups.set(key, group);
  }
  const rows = [...groups].map(([key, members]) => groupOf(key, members, capital));
  return keys === undefined ? rows.toSorted((a, b) => b.pnl - a.pnl) : rows;
}

export function groupOf(
  key: string,
  trades: readonly MeasuredTrade[],
  capital: number,
): TradeGroup {
  const count = trades.length;
  const sum = (valueOf: (trade: MeasuredTrade) => number): number =>
    trades.reduce((total, trade) => total + valueOf(trade), 0);
  const pnl = sum((trade) => trade.pnl);
  const gain = sum((trade) => Math.max(0, trade.pnl));
  const loss = gain - pnl;
  const won = trades.filter((trade) => trade.pnl > 0).length;
  const lost = trades.filter((trade) => trade.pnl < 0).length;
  const returns = trades.flatMap((trade) => (trade.return === null ? [] : [trade.return]));
  const over = (total: number): number | null => (count === 0 ? null : total / count);
  let [best, worst] = [-Infinity, Infinity];
  for (const trade of trades) {
    best = Math.max(best, trade.pnl);
    worst = Math.min(worst, trade.pnl);
  }
  return {
    key,
    trades: count,
    won,
    drawn: count - won - lost,
    lost,
    win_rate: over(won),
    pnl,
    pnl_share: capital > 0 ? pnl / capital : null,
    average: over(pnl),
    average_return:
      returns.length === 0 ? null : returns.reduce((total, one) => total + one, 0) / returns.length,
    best: count === 0 ? null : best,
    worst: count === 0 ? null : worst,
    profit_factor: lost > 0 ? gain / loss : null,
    average_hold_ms: over(sum((trade) => trade.exit_time! - trade.entry_time)),
    fees: sum((trade) => trade.fees),
  };
}

export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
export const HOURS: readonly string[] = Array.from({ length: 24 }, (_none, hour) =>
  String(hour).padStart(2, '0'),
);

/** UTC hour and weekday of a trade's entry. */
export const hourOf = ({ entry_time }: MeasuredTrade): string =>
  HOURS[new Date(entry_time).getUTCHours()]!;
export const weekdayOf = ({ entry_time }: MeasuredTrade): string =>
  WEEKDAYS[(new Date(entry_time).getUTCDay() + 6) % 7]!;
