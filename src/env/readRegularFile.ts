import { closeSync, constants, fstatSync, openSync, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';

/** A device, a pipe or a socket, which may never end, or a file larger than its reader can hold. */
export class UnboundedFileError extends Error {
  override readonly name = 'UnboundedFileError';
}

/** Opening a pipe for reading waits for a writer unless this flag is set. Windows lacks the flag. */
const READ_AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
/** Limit of one read of the operating system. */
const LONGEST_READ = 2 ** 30;

/**
 * The whole of a regular file.
 *
 * Memory is bounded by `maxBytes`, even if the file grows while it is read, or reports no size.
 *
 * @param path of the file; links are followed
 * @param maxBytes the most that its reader can hold
 * @throws UnboundedFileError for what is no regular file, and for one that is larger; the operating system's
 *   error for one that can't be opened or read
 */
export function readRegularFile(path: string, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  return readBytes(path, maxBytes);
}

async function readBytes(path: string, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  const handle = await open(path, READ_AT_ONCE);
  try {
    const stats = await handle.stat();
    requireRegular(stats);
    requireWithin(stats.size, maxBytes);
    let bytes = Buffer.allocUnsafeSlow(stats.size + 1);
    let length = 0;
    for (;;) {
      const room = Math.min(bytes.length - length, LONGEST_READ);
      const { bytesRead } = await handle.read(bytes, length, room, null);
      if (bytesRead === 0) return bytes.subarray(0, length);
      length += bytesRead;
      requireWithin(length, maxBytes);
      if (length === bytes.length) bytes = enlarged(bytes, maxBytes);
    }
  } finally {
    await handle.close();
  }
}

/** Like {@link readRegularFile}, as text in UTF-8. */
export async function readRegularText(path: string, maxBytes: number): Promise<string> {
  return (await readBytes(path, maxBytes)).toString('utf8');
}

/**
 * Opens a regular file for reading piece by piece.
 *
 * @returns its descriptor, which the caller closes
 * @throws as {@link readRegularFile}
 */
export function openRegularFile(path: string): number {
  const file = openSync(path, READ_AT_ONCE);
  try {
    requireRegular(fstatSync(file));
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

function requireRegular(stats: Stats): void {
  if (stats.isFile()) return;
  // The same error as a read would give, so that a folder has one message everywhere.
  if (stats.isDirectory()) {
    throw Object.assign(new Error('illegal operation on a directory'), { code: 'EISDIR' });
  }
  const what = stats.isFIFO() ? 'a pipe' : stats.isSocket() ? 'a socket' : 'a device';
  throw new UnboundedFileError(`it is ${what}, not a regular file`);
}

function requireWithin(bytes: number, maxBytes: number): void {
  if (bytes > maxBytes) throw new UnboundedFileError(`it is larger than ${sizeOf(maxBytes)}`);
}

function enlarged(bytes: Buffer<ArrayBuffer>, maxBytes: number): Buffer<ArrayBuffer> {
  const larger = Buffer.allocUnsafeSlow(Math.min(bytes.length * 2 + 4_096, maxBytes + 1));
  bytes.copy(larger);
  return larger;
}

function sizeOf(bytes: number): string {
  for (const [unit, size] of [
    ['GiB', 2 ** 30],
    ['MiB', 2 ** 20],
    ['KiB', 2 ** 10],
  ] as const) {
    if (bytes >= size) return `${bytes / size} ${unit}`;
  }
  return `${bytes} bytes`;
}
