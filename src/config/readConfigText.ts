import { join } from 'node:path';
import { meantFile, readRegularText, UnboundedFileError } from '../env/index.ts';

/** More than any configuration needs, and small enough for memory. */
const MAX_BYTES = 16 * 2 ** 20;

/** `meant` is the remedy for a path that is wrong, if the folder explains it. */
type ConfigText = { text: string } | { reason: string; meant?: string | undefined };

/** A configuration's text, or the reason why it can't be read. */
export async function readConfigText(path: string): Promise<ConfigText> {
  try {
    return { text: await readRegularText(path, MAX_BYTES) };
  } catch (error) {
    if (error instanceof UnboundedFileError)
      return { reason: `the file can't be read: ${error.message}` };
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    if (code === 'ENOENT') return { reason: 'the file does not exist', meant: meantFile(path) };
    if (code === 'EISDIR') {
      const meant = `Name the file in it, such as ${join(path, 'bot.yaml')}, or make one: trimtab init`;
      return { reason: 'it is a folder', meant };
    }
    return { reason: `the file can't be read (${code})` };
  }
}
