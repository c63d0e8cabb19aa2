import { UnboundedFileError } from '../env/index.ts';

/** Why an input could not be read, without the system's message: the caller names path and remedy. */
export function explainUnreadable(error: unknown): string {
  if (error instanceof UnboundedFileError) return error.message;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EISDIR') return 'it is a folder';
  return code === undefined ? message : `the system refuses it (${code})`;
}
