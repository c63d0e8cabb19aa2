import { basename } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import type { Entry } from 'yauzl';
import { fileFault, type FeedResult } from './FeedProblem.ts';

export interface ZipLimits {
  maxEntries: number;
  /** Of all entries together, unpacked. */
  maxBytes: number;
}

const ZIP_LIMITS: ZipLimits = { maxEntries: 1_000, maxBytes: 2 ** 31 };

export interface Unzipped {
  /** `archive.zip:entry.csv`, only for messages: nothing is written under this name. */
  file: string;
  bytes: Uint8Array;
}

const BROKEN = 'Download it again.';

/** The file itself, or the archive of which it names an entry. */
export const archiveOf = (file: string): string => file.replace(/(?<=\.zip):[^/\\]*$/i, '');

/** The name of a file, or of the entry of an archive (`archive.zip:entry.csv`), without its folder. */
export function fileNameOf(file: string): string {
  return basename(file.replace(/^.*:(?!.*[/\\])/, ''));
}

/** Whether a file is a zip archive, by its first bytes. */
export function isZip(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 4)).toString('latin1') === 'PK\x03\x04';
}

/**
 * Unpacks an archive in memory. The declared sizes are summed before a byte is unpacked, and yauzl
 * enforces the declared size of every entry, so that a small archive can't fill the memory.
 */
export async function unzip(
  bytes: Uint8Array,
  file: string,
  limits: ZipLimits = ZIP_LIMITS,
): Promise<FeedResult<Unzipped[]>> {
  // Most commands use no archive: the library is loaded with the first one.
  const { fromBufferPromise } = await import('yauzl');
  try {
    const viewed = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const archive = await fromBufferPromise(viewed, { lazyEntries: true });
    if (archive.entryCount > limits.maxEntries) {
      const what = `holds ${archive.entryCount} files, more than ${limits.maxEntries}.`;
      return fileFault(file, what, 'Unpack it and name the files that you want.');
    }
    const unzipped: Unzipped[] = [];
    let total = 0;
    for await (const entry of archive.eachEntry()) {
      if (entry.fileName.endsWith('/')) continue;
      total += entry.uncompressedSize;
      if (total > limits.maxBytes) {
        const what = `holds more than ${limits.maxBytes} bytes, unpacked.`;
        return fileFault(file, what, 'Unpack it and name the files that you want.');
      }
      const content = await buffer(await archive.openReadStreamPromise(entry));
      if (crc32(content) !== entry.crc32) return damaged(file, entry);
      unzipped.push({ file: `${file}:${basename(entry.fileName)}`, bytes: content });
    }
    if (unzipped.length === 0) return fileFault(file, 'is an empty archive.', BROKEN);
    return { ok: true, value: unzipped };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return fileFault(file, `can't be unpacked: ${why}.`, BROKEN);
  }
}

function damaged(file: string, entry: Entry) {
  const what = `is damaged: the checksum of ${basename(entry.fileName)} differs.`;
  return fileFault(file, what, BROKEN);
}
