import { gunzipSync } from 'node:zlib';
import { meantFile, readRegularFile, UnboundedFileError, withFullStop } from '../../env/index.ts';
import type { FeedResult } from './FeedProblem.ts';

/**
 * A gigabyte or more of market data is common. A file that is larger, or unpacks to more, is treated as
 * an attack.
 */
const MAX_BYTES = 2 ** 32;

const NAME_A_FILE =
  'Name a regular file; split one that is too large, or save the output of a pipe.';

/** The system's error codes for a path, in words. */
const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file.',
  EISDIR: 'It is a folder.',
};

/**
 * A file's bytes, unpacked if it is gzip; the magic number decides, not the name. It is a regular file of
 * at most `maxBytes`, packed and unpacked: a device or a pipe may never end.
 *
 * @param named what the path is of, for the remedy: `of the feed`
 */
export async function readPlainFile(
  path: string,
  named: string,
  maxBytes = MAX_BYTES,
): Promise<FeedResult<Uint8Array<ArrayBuffer>>> {
  const fault = (message: string, remedy: string): FeedResult<Uint8Array<ArrayBuffer>> => ({
    ok: false,
    problem: { file: path, line: null, column: null, value: null, message, remedy },
  });
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = await readRegularFile(path, maxBytes);
  } catch (error) {
    if (error instanceof UnboundedFileError) {
      return fault(`It can't be read: ${withFullStop(error.message)}`, NAME_A_FILE);
    }
    const { code } = error as NodeJS.ErrnoException;
    const what = WHY[code ?? ''] ?? `It can't be read (${code}).`;
    const meant = code === 'ENOENT' ? meantFile(path) : undefined;
    return fault(what, meant ?? `Check the path ${named}.`);
  }
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return { ok: true, value: bytes };
  try {
    return { ok: true, value: gunzipSync(bytes, { maxOutputLength: maxBytes }) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      return fault(`It unpacks to more than ${maxBytes} bytes.`, 'Split it into several files.');
    }
    return fault('The gzip stream is broken.', 'Download or compress the file again.');
  }
}
