import { whyUnwritable } from '../operate/index.ts';
import { CommandFailure } from './CommandFailure.ts';

/**
 * Before the work: a file that can't be written should not cost a run.
 *
 * @param what the flag or the key that names it
 * @throws CommandFailure with flag, file, reason and remedy
 */
export function prepareOutput(what: string, file: string): void {
  const reason = whyUnwritable(file);
  if (reason !== null) throw new CommandFailure(`${what}: ${file} can't be written: ${reason}`);
}
