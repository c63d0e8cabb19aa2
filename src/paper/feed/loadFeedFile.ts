import type { Interval } from '../../contract/index.ts';
import { isCacheFile } from './CacheFile.ts';
import { checkSpacing } from './checkSpacing.ts';
import type { Feed } from './Feed.ts';
import type { FeedResult } from './FeedProblem.ts';
import { mixedIntervals } from './mixedIntervals.ts';
import { parseCache } from './parseCache.ts';
import { parseCsv } from './parseCsv.ts';
import { parseParquet } from './parseParquet.ts';
import { readPlainFile } from './readPlainFile.ts';

/**
 * Loads a feed's file: CSV, plain or `.gz`, Parquet or a cache of `trimtab data import`, of bars of the
 * declared interval. The symbol is that of the feed, regardless of a cache's header.
 */
export async function loadFeedFile(
  path: string,
  symbol: string,
  interval: Interval,
): Promise<FeedResult<Feed>> {
  const read = await readFeed(path, symbol, interval);
  if (!read.ok) return read;
  const { time } = read.value;
  const found = checkSpacing(time, interval) ?? mixedIntervals(time, interval);
  return found === null ? read : { ok: false, problem: { file: path, line: null, ...found } };
}

/** The first bytes identify a file, not its name. */
async function readFeed(
  path: string,
  symbol: string,
  interval: Interval,
): Promise<FeedResult<Feed>> {
  const read = await readPlainFile(path, 'of the feed');
  if (!read.ok) return read;
  const feed = { symbol, interval, file: path };
  if (isCacheFile(read.value)) return parseCache(read.value, feed);
  const isParquet = Buffer.from(read.value.subarray(0, 4)).toString('latin1') === 'PAR1';
  return isParquet ? parseParquet(read.value, feed) : parseCsv(read.value, feed);
}
