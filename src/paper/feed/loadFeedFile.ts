import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import type { Interval } from '../../contract/index.ts';
import { checkSpacing } from './checkSpacing.ts';
import type { Feed } from './Feed.ts';
import type { FeedProblem, FeedResult } from './FeedProblem.ts';
import { parseCsv } from './parseCsv.ts';
import { parseParquet } from './parseParquet.ts';

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

async function readFeed(
  path: string,
  symbol: string,
  interval: Interval,
): Promise<FeedResult<Feed>> {
  const fault = (message: string, remedy: string): { ok: false; problem: FeedProblem } => ({
    ok: false,
    problem: { file: path, line: null, column: null, value: null, message, remedy },
  });
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const what = code === 'ENOENT' ? 'There is no such file.' : `It can't be read (${code}).`;
    return fault(what, 'Check the path after the = of --feed, or `path` in the YAML.');
  }
  // The magic number, not the name, says what it is.
  if (bytes.subarray(0, 4).toString('latin1') === 'PAR1') {
    return parseParquet(bytes, { symbol, interval, file: path });
  }
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    try {
      bytes = gunzipSync(bytes);
    } catch {
      return fault('The gzip stream is broken.', 'Download or compress the file again.');
    }
  }
  return parseCsv(bytes, { symbol, interval, file: path });
}
