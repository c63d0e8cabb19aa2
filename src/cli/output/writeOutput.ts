import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { reasonOf, withFullStop } from '../../env/index.ts';
import { CommandFailure } from '../failures/CommandFailure.ts';

/**
 * Writes an output whole: a reader sees the old file or the new one, and a full disk leaves no part of it. What is no
 * regular file, such as `/dev/null` or a pipe, is written as it is.
 *
 * @throws CommandFailure with the file, the reason and the remedy
 */
export async function writeOutput(path: string, content: string | Uint8Array): Promise<void> {
  try {
    const target = realPath(path);
    const existing = lstatSync(target, { throwIfNoEntry: false });
    if (existing !== undefined && !existing.isFile()) await writeFile(target, content);
    else await replace(target, content, existing);
  } catch (error) {
    const isFull = codeOf(error) === 'ENOSPC';
    const remedy = isFull ? 'Make room there, or name another path.' : 'Name another path.';
    const message = `${path} can't be written: ${withFullStop(reasonOf(error))}\n  ${remedy}`;
    throw new CommandFailure('TRIMTAB_OUTPUT_UNWRITABLE', message, 1, { cause: error });
  }
}

async function replace(
  path: string,
  content: string | Uint8Array,
  existing: Stats | undefined,
): Promise<void> {
  const half = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(half, content, existing && { mode: existing.mode });
    await rename(half, path);
  } catch (error) {
    // The file may be written where no other can be made.
    if (existing === undefined || !['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error) ?? ''))
      throw error;
    await writeFile(path, content);
  } finally {
    await rm(half, { force: true });
  }
}

/** The file that a link means; the path itself where there is none yet. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;
