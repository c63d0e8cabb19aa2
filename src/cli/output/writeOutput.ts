import { lstatSync, realpathSync, statSync, type Stats } from 'node:fs';
import { chmod, rename, rm, writeFile } from 'node:fs/promises';
import { reasonOf, withFullStop } from '../../env/index.ts';
import { CommandFailure } from '../failures/CommandFailure.ts';

/**
 * Writes an output whole: a reader sees the old file or the new one, and a full disk leaves no part of it. What is no
 * regular file, such as `/dev/null`, a pipe or a link whose file is not there yet, is written directly.
 *
 * @throws CommandFailure with the file, the reason and the remedy
 */
export function writeOutput(path: string, content: string | Uint8Array): Promise<void> {
  return writeOutputBy(path, (target) => writeFile(target, content));
}

/**
 * The same for an output that is too large for the memory.
 *
 * @param write writes all of it to the path that it is given; called again where the first path can't be made
 * @throws CommandFailure with the file, the reason and the remedy
 */
export async function writeOutputBy(path: string, write: Write): Promise<void> {
  try {
    const existing = statSync(path, { throwIfNoEntry: false });
    if (existing?.isFile() === true) await replace(realpathSync(path), write, existing);
    else if (lstatSync(path, { throwIfNoEntry: false }) === undefined) await replace(path, write);
    else await write(path);
  } catch (error) {
    const isFull = codeOf(error) === 'ENOSPC';
    const remedy = isFull ? 'Make room there, or name another path.' : 'Name another path.';
    const message = `${path} can't be written: ${withFullStop(reasonOf(error))}\n  ${remedy}`;
    throw new CommandFailure('TRIMTAB_OUTPUT_UNWRITABLE', message, 1, { cause: error });
  }
}

async function replace(path: string, write: Write, existing?: Stats): Promise<void> {
  const half = `${path}.${process.pid}.tmp`;
  try {
    // Before its content, which others may not be allowed to read.
    if (existing !== undefined) await writeFile(half, '', { mode: existing.mode | 0o200 });
    await write(half);
    if (existing !== undefined) await chmod(half, existing.mode);
    await rename(half, path);
  } catch (error) {
    // The file may be written where no other can be made.
    if (existing === undefined || !['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error) ?? ''))
      throw error;
    await write(path);
  } finally {
    await rm(half, { force: true });
  }
}

type Write = (target: string) => Promise<void> | void;

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;
