import { crc32 } from 'node:zlib';
import {
  CACHE_COLUMNS,
  CACHE_MAGIC,
  CACHE_VERSION,
  CHECKED_FROM,
  PREFIX_BYTES,
  type CacheFile,
} from './CacheFile.ts';

/** The bytes of a cache file. The same content gives the same bytes: they contain no date. */
export function encodeCache(content: CacheFile): Uint8Array<ArrayBuffer> {
  const { columns, ...about } = content;
  const { time } = columns;
  const rows = time.length;
  const header = JSON.stringify({ ...about, rows, from: time[0], until: time[rows - 1] });
  const length = Buffer.byteLength(header);
  const start = Math.ceil((PREFIX_BYTES + length) / 8) * 8;
  const names = CACHE_COLUMNS[content.kind];
  const bytes = Buffer.alloc(start + names.length * rows * 8, ' ');
  bytes.write(CACHE_MAGIC, 'latin1');
  bytes.writeUInt32LE(CACHE_VERSION, 8);
  bytes.writeUInt32LE(start - PREFIX_BYTES, 16);
  bytes.write(header, PREFIX_BYTES);
  const numbers = new Float64Array(bytes.buffer, bytes.byteOffset + start, names.length * rows);
  for (const [index, name] of names.entries()) {
    numbers.set((columns as Record<string, Float64Array>)[name]!, index * rows);
  }
  bytes.writeUInt32LE(crc32(bytes.subarray(CHECKED_FROM)), 12);
  return bytes;
}
