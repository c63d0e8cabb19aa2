// What in a row is worth a look, and how much.
import type { FeedRow, WalletRow } from '../../state/BotView.ts';

/** A loss that reached the day's limit holds for the day, though the equity recovers. */
export const isReached = ({ day_loss_limit: limit, day_loss_reached: lost }: WalletRow): boolean =>
  limit !== null && (lost ?? 0) >= limit;

/** A day that has lost most of what it may is worth a look. */
export function limitTone(row: WalletRow): 'loss' | 'warn' | 'muted' {
  const { day_pnl, day_loss_limit } = row;
  if (isReached(row)) return 'loss';
  if (day_pnl === null || day_loss_limit === null || day_loss_limit === 0) return 'muted';
  const share = -day_pnl / day_loss_limit;
  return share >= 1 ? 'loss' : share >= 0.7 ? 'warn' : 'muted';
}

/** A bar that should have come a whole bar ago. */
export const isStale = (
  { close_time, interval_ms }: Pick<FeedRow, 'close_time' | 'interval_ms'>,
  { market }: { market: number },
): boolean =>
  close_time !== null && interval_ms !== null && market - close_time > 2 * interval_ms + 5_000;
