import type { Interval } from '../../contract/index.ts';
import { checkSpacing } from './checkSpacing.ts';
import type { Feed } from './Feed.ts';
import type { FeedResult } from './FeedProblem.ts';
import { parseCsv } from './parseCsv.ts';
import { parseParquet } from './parseParquet.ts';
import { readPlainFile } from './readPlainFile.ts';

/** Loads a feed's file: CSV, plain or `.gz`, or Parquet, of bars as long as it is named. */
export async function loadFeedFile(
  path: string,
  symbol: string,
  interval: Interval,
): Promise<FeedResult<Feed>> {
  const read = await readFeed(path, symbol, interval);
  const found = read.ok ? checkSpacing(read.value.time, interval) : null;
  return found === null ? read : { ok: false, problem: { file: path, line: null, ...found } };
}

/** The first bytes, not the name, say what a file is. */
async function readFeed(
  path: string,
  symbol: string,
  interval: Interval,
): Promise<FeedResult<Feed>> {
  const read = await readPlainFile(path, 'the = of --feed, or `path` in the YAML');
  if (!read.ok) return read;
  const feed = { symbol, interval, file: path };
  const isParquet = read.value.subarray(0, 4).toString('latin1') === 'PAR1';
  return isParquet ? parseParquet(read.value, feed) : parseCsv(read.value, feed);
}
