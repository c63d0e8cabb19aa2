import { meantFile, UnboundedFileError } from '../env/index.ts';

/**
 * Why an input could not be read, without the system's message: the caller writes the path before it.
 *
 * @param remedy of the caller; a file beside it that was probably meant is a better one
 */
export function explainUnreadable(error: unknown, path: string, remedy: string): string {
  const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
  return `${reasonFor(error)}.\n  ${(isMissing ? meantFile(path) : undefined) ?? remedy}`;
}

function reasonFor(error: unknown): string {
  if (error instanceof UnboundedFileError) return error.message;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EISDIR') return 'it is a folder';
  return code === undefined ? message : `the system refuses it (${code})`;
}
