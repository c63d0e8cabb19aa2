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

/** A configuration that doesn't pass: every fault, each with its place. */
export function configFailure(faults: readonly ConfigFault[]): CommandFailure {
  const count = faults.length === 1 ? 'One fault' : `${faults.length} faults`;
  return new CommandFailure(`${count} in the configuration:\n${formatFaults(faults)}`);
}
