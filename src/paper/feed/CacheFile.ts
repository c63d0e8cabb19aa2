import { z } from 'zod';
import { INTERVALS, type Interval } from '../../contract/index.ts';
import type { FundingRates } from '../market/FundingSchedule.ts';
import type { Candles } from './barsOfTrades.ts';

/**
 * Layout of a cache file: `TRIMTAB\n`, the version (u32), the CRC-32 of all that follows (u32), the
 * length of the header (u32), the header (JSON, padded with blanks to a multiple of 8 bytes), then the
 * columns, one after the other, as 64-bit floats. Little-endian, like every machine that Node runs on, so
 * the columns are used in place.
 */
export type CacheFile =
  | { kind: 'bars'; symbol: string; interval: Interval; source: string; columns: Candles }
  | { kind: 'funding'; symbol: string; source: string; columns: FundingRates };

export const CACHE_MAGIC = 'TRIMTAB\n';
export const CACHE_VERSION = 1;
/** Number of bytes before the header's text. */
export const PREFIX_BYTES = 20;
/** Offset from which the checksum is computed. */
export const CHECKED_FROM = 16;

export const CACHE_COLUMNS = {
  bars: ['time', 'open', 'high', 'low', 'close', 'volume'],
  funding: ['time', 'rate'],
} as const;

const rest = {
  symbol: z.string().min(1),
  source: z.string(),
  rows: z.int().min(1),
  /** Times of the first and the last row, for people and tools that read the header alone. */
  from: z.number(),
  until: z.number(),
};

export const cacheHeader = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('bars'), interval: z.enum(INTERVALS), ...rest }),
  z.object({ kind: z.literal('funding'), ...rest }),
]);

export function isCacheFile(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    .subarray(0, CACHE_MAGIC.length)
    .equals(Buffer.from(CACHE_MAGIC));
}
