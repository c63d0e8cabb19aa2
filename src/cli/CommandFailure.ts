import { formatFaults, type ConfigFault } from '../config/index.ts';

/**
 * Ends a command with a message for the user and an exit code: commander's actions return nothing,
 * so this one operating failure is thrown. The message says what, where, and what to do.
 */
export class CommandFailure extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = 1, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CommandFailure';
    this.exitCode = exitCode;
  }
}

/** A file that is no configuration has faults without end. */
const MOST_FAULTS = 20;

/** A configuration that doesn't pass: its faults, each with its place. */
export function configFailure(faults: readonly ConfigFault[]): CommandFailure {
  const count = faults.length === 1 ? 'One fault' : `${faults.length} faults`;
  const told = formatFaults(faults.slice(0, MOST_FAULTS));
  const left = faults.length - MOST_FAULTS;
  const more = left > 0 ? `\n… and ${left} more.` : '';
  return new CommandFailure(`${count} in the configuration:\n${told}${more}`);
}
