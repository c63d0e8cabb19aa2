import { crc32 } from 'node:zlib';
import {
  CACHE_COLUMNS,
  CACHE_VERSION,
  cacheHeader,
  CHECKED_FROM,
  PREFIX_BYTES,
  type CacheFile,
} from './CacheFile.ts';
import type { FeedResult } from './FeedProblem.ts';

const REMEDY = 'Copy it again, or rebuild it with `trimtab data import`.';

/**
 * Reads a cache file; its columns are views of the bytes. The checksum detects accidents, not forgery:
 * the loader of a feed checks its rows like those of any other file.
 */
export function decodeCache(bytes: Uint8Array, file: string): FeedResult<CacheFile> {
  const fault = (message: string, remedy = REMEDY): FeedResult<CacheFile> => ({
    ok: false,
    problem: { file, line: null, column: null, value: null, message, remedy },
  });
  if (bytes.length < PREFIX_BYTES) return fault('is cut off.');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const version = view.getUint32(8, true);
  if (version !== CACHE_VERSION) {
    const remedy = 'Rebuild it with `trimtab data import`, or use the Trimtab that wrote it.';
    return fault(`is of version ${version}; this Trimtab reads ${CACHE_VERSION}.`, remedy);
  }
  const start = PREFIX_BYTES + view.getUint32(16, true);
  if (start > bytes.length) return fault('is cut off.');
  if (crc32(bytes.subarray(CHECKED_FROM)) !== view.getUint32(12, true)) {
    return fault('is not what was written: its checksum differs.');
  }
  const header = readHeader(bytes.subarray(PREFIX_BYTES, start));
  const names = header === null ? [] : CACHE_COLUMNS[header.kind];
  if (header === null || start % 8 !== 0) return fault('has an invalid header.');
  if (bytes.length !== start + names.length * header.rows * 8) {
    return fault(`does not have the length of its ${header.rows} rows.`);
  }
  const columns = columnsOf(bytes.subarray(start), names, header.rows);
  const { symbol, source } = header;
  if (header.kind === 'funding') {
    return { ok: true, value: { kind: 'funding', symbol, source, columns: columns as never } };
  }
  const { interval } = header;
  return { ok: true, value: { kind: 'bars', symbol, interval, source, columns: columns as never } };
}

function readHeader(bytes: Uint8Array) {
  try {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
    return cacheHeader.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

function columnsOf(bytes: Uint8Array, names: readonly string[], rows: number) {
  // A view of floats needs an address that is a multiple of 8; a file that was read whole has one.
  const aligned = bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes);
  const columns: Record<string, Float64Array> = {};
  for (const [index, name] of names.entries()) {
    columns[name] = new Float64Array(aligned.buffer, aligned.byteOffset + index * rows * 8, rows);
  }
  return columns;
}
