import type { Interval } from '../../contract/index.ts';
import { decodeCache } from './decodeCache.ts';
import type { Feed } from './Feed.ts';
import type { FeedProblem, FeedResult } from './FeedProblem.ts';
import { firstFault } from './firstFault.ts';

/** Reads a feed from a cache file of this interval. The line of a fault is the row, from 1. */
export function parseCache(
  bytes: Uint8Array,
  feed: { symbol: string; interval: Interval; file: string },
): FeedResult<Feed> {
  const { symbol, interval, file } = feed;
  const read = decodeCache(bytes, file);
  if (!read.ok) return read;
  const fault = (found: Partial<FeedProblem> & Pick<FeedProblem, 'message' | 'remedy'>) => ({
    ok: false as const,
    problem: { file, line: null, column: null, value: null, ...found },
  });
  if (read.value.kind === 'funding') {
    const remedy = 'It belongs under `funding`; a feed needs a file of bars.';
    return fault({ message: 'holds funding rates, not bars.', remedy });
  }
  const { columns } = read.value;
  if (read.value.interval !== interval) {
    const held = read.value.interval;
    const remedy = `Name the interval that the file has: SYMBOL@${held}=…, or \`interval: ${held}\` in the YAML.`;
    return fault({ message: `holds bars of ${held}, not ${interval}.`, remedy });
  }
  const found = firstFault(columns, interval);
  if (found !== null) {
    const { row, ...wrong } = found;
    return fault({ line: row + 1, ...wrong });
  }
  return { ok: true, value: { symbol, interval, ...columns } };
}
