import { INTERVAL_MS } from '../src/contract/index.ts';
import { formatTime } from '../src/operate/index.ts';
import type { LoadedTape } from '../src/operate/run/index.ts';
import type { Feed } from '../src/paper/index.ts';
import { boundaryFrom, longestInterval } from './barBoundary.ts';
import { cutAt, type TimeRange } from './TimeRange.ts';

/** Why nothing of a tape would be traded in a range, with what could be; undefined if something is. */
export function explainEmptyRange(
  tape: Pick<LoadedTape, 'data' | 'paper'>,
  range: TimeRange,
): string | undefined {
  const { data } = tape;
  const { until } = range;
  const outside = explainOutside(tape, range);
  if (outside !== undefined) return outside;
  const from = range.from === undefined ? undefined : boundaryFrom(data.feeds, range.from);
  const { feeds } = until === undefined ? data : cutAt(data, until);
  return explainEmpty(feeds, { from, until });
}

/** Every feed needs its warm-up and one more bar. */
function explainOutside(
  { data, paper }: Pick<LoadedTape, 'data' | 'paper'>,
  { from, until }: TimeRange,
): string | undefined {
  for (const feed of data.feeds) {
    const { symbol, interval, time } = feed;
    const end = endOf(feed);
    const tradable = time[paper.warmup] ?? end;
    const span = `${symbol} can be traded from ${formatTime(tradable)} to ${formatTime(end)} UTC`;
    if (from !== undefined && from >= end)
      return `--timerange begins at ${formatTime(from)}: ${span}.`;
    if (until !== undefined && until < tradable + INTERVAL_MS[interval]) {
      const miss = `--timerange ends at ${formatTime(until)}: ${span}.\n`;
      // Less warm-up helps only if the tape has begun by then.
      if (until <= (time[0] ?? 0)) return `${miss}  The tape begins after that: name a later end.`;
      return `${miss}  The ${paper.warmup} bars before are warm-up: name a later end, or set paper.warmup lower.`;
    }
  }
  return undefined;
}

/** Why there is no whole bar between the range's start, rounded up, and its end. */
function explainEmpty(
  feeds: readonly Feed[],
  { from, until }: { from: number | undefined; until: number | undefined },
): string | undefined {
  const end = Math.max(...feeds.map(endOf));
  if (from === undefined || from < end) return undefined;
  const closed = until === undefined ? 'The tape' : `--timerange until ${formatTime(until)}`;
  return (
    `--timerange holds no whole bar: with bars of ${longestInterval(feeds)} it begins at ` +
    `${formatTime(from)}. ${closed} has its last close at ${formatTime(end)} UTC.\n  Name a wider range.`
  );
}

const endOf = ({ time, interval }: Feed): number => (time.at(-1) ?? 0) + INTERVAL_MS[interval];
