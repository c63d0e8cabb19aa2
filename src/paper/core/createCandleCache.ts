import { barCloseTime, barOpenTime, type Interval } from '../../contract/index.ts';

/**
 * Candle data is cached by wallet, symbol and interval and refreshed on bar boundaries (MKT-3). Closed
 * bars don't change between two boundaries, so it stores only when they were read.
 */
export interface CandleCache {
  /** Whether a read at `now` would be served from the cache. */
  isFresh(wallet: string, symbol: string, interval: Interval, now: number): boolean;
  /** Records a read. `now` is the replay's time, epoch milliseconds. */
  read(
    wallet: string,
    symbol: string,
    interval: Interval,
    now: number,
  ): { cached: boolean; ageSeconds: number };
}

export function createCandleCache(): CandleCache {
  const readTimes = new Map<string, number>();
  const nameOf = (...parts: string[]): string => parts.join('\n');
  const freshSince = (name: string, interval: Interval, now: number): number | null => {
    const readTime = readTimes.get(name);
    if (readTime === undefined) return null;
    return now < barCloseTime(barOpenTime(readTime, interval), interval) ? readTime : null;
  };
  return {
    isFresh: (wallet, symbol, interval, now) =>
      freshSince(nameOf(wallet, symbol, interval), interval, now) !== null,
    read(wallet, symbol, interval, now) {
      const name = nameOf(wallet, symbol, interval);
      const since = freshSince(name, interval, now);
      if (since === null) readTimes.set(name, now);
      return { cached: since !== null, ageSeconds: (now - (since ?? now)) / 1_000 };
    },
  };
}
