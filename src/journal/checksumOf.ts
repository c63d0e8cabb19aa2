import { crc32 } from 'node:zlib';

/**
 * A checksum over a record's fields. SQLite's pages have none, so a half-written page may still parse: a record
 * that does not match its checksum is never used.
 */
export function checksumOf(...fields: ReadonlyArray<string | number>): number {
  return crc32(JSON.stringify(fields));
}
