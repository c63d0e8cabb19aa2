import { UnboundedFileError, readRegularText } from '../env/index.ts';

/** More than any configuration needs, and small enough for memory. */
const MAX_BYTES = 16 * 2 ** 20;

/** A configuration's text, or the reason why it can't be read. */
export async function readConfigText(path: string): Promise<{ text: string } | { reason: string }> {
  try {
    return { text: await readRegularText(path, MAX_BYTES) };
  } catch (error) {
    if (error instanceof UnboundedFileError)
      return { reason: `the file can't be read: ${error.message}` };
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    if (code === 'ENOENT') return { reason: 'the file does not exist' };
    return { reason: `the file can't be read (${code})` };
  }
}
