import { INTERVAL_MS } from '../../contract/index.ts';
import { counted } from '../../env/index.ts';
import { timeText, type Feed } from '../../paper/feed/index.ts';

const startOf = (feed: Feed): number => feed.time[0] ?? 0;
const endOf = (feed: Feed): number => (feed.time.at(-1) ?? 0) + INTERVAL_MS[feed.interval];
const span = (feed: Feed): string =>
  `${feed.symbol} (${timeText(startOf(feed))} to ${timeText(endOf(feed))})`;

/**
 * Why a run over these feeds would trade nothing, or undefined: feeds that have no time in common, or
 * one that is all history.
 *
 * @param warmup bars of a feed that are history when the replay starts
 */
export function explainNothingToReplay(feeds: readonly Feed[], warmup: number): string | undefined {
  const last = feeds.reduce((a, b) => (startOf(b) > startOf(a) ? b : a));
  const over = feeds.find((feed) => endOf(feed) <= startOf(last));
  if (over !== undefined) {
    return `The feeds have no time in common: ${span(over)} is over before ${span(last)} begins.`;
  }
  const [short] = describeShortFeeds(feeds, warmup);
  if (short === undefined) return undefined;
  return `There is nothing to replay: ${short}.\n  Give it more bars, or set paper.warmup lower.`;
}

/** Feeds that are all history, each with what it has and what warm-up takes. */
export function describeShortFeeds(feeds: readonly Feed[], warmup: number): string[] {
  return feeds
    .filter(({ time }) => time.length <= warmup)
    .map(
      ({ symbol, time }) =>
        `${symbol} has ${counted(time.length, 'bar')}, and warm-up takes ${warmup}`,
    );
}
