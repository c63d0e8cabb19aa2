import { formatFaults, isOfFlags, type ConfigFault } from '../../config/index.ts';
import type { FailureCode } from '../../contract/index.ts';
import type { RunFailure } from '../../operate/run/index.ts';

/** Exit code of wrong usage, by convention; a service manager does not restart after it. */
export const USAGE = 2;

/**
 * Ends a command with a message for the user and an exit code: commander's actions return nothing,
 * so this one operating failure is thrown. The message says what, where, and what to do; the code is a
 * row of FAILURES.
 */
export class CommandFailure extends Error {
  readonly code: FailureCode;
  readonly exitCode: number;

  constructor(
    code: FailureCode,
    message: string,
    exitCode = code === 'TRIMTAB_USAGE' ? USAGE : 1,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'CommandFailure';
    this.code = code;
    this.exitCode = exitCode;
  }
}

/**
 * Exit code of a stop or a kill after which something still works that should have ended, or may still
 * work.
 */
export const UNENDED = 4;

/** Exit code of `status` where nothing could be found out, as monitors know it: 0 is well, 1 degraded, 2 down. */
export const UNKNOWN_STATUS = 3;

/** A file that is not a configuration has any number of faults. */
const MOST_FAULTS = 20;

/** A configuration that doesn't pass: its faults, each with its place and its code. */
export function configFailure(faults: readonly ConfigFault[]): CommandFailure {
  const count = faults.length === 1 ? 'One fault' : `${faults.length} faults`;
  const listed = formatFaults(faults.slice(0, MOST_FAULTS));
  const left = faults.length - MOST_FAULTS;
  const more = left > 0 ? `\n… and ${left} more.` : '';
  const code = faults[0]?.code ?? 'TRIMTAB_CONFIG_UNREADABLE';
  const message = `${count} in the configuration:\n${listed}${more}`;
  return new CommandFailure(code, message, isOfFlags(faults) ? USAGE : 1);
}

/** A bot that applies its stop policy takes no request any more. */
export const botStopping = (name: string): CommandFailure =>
  new CommandFailure(
    'TRIMTAB_BOT_STOPPING',
    `${name} is stopping, by its stop policy, and takes no command any more.\n  Send it again once trimtab status says that it has ended.`,
  );

/** A run that did not start or did not continue. */
export function runFailed(failure: RunFailure, cause?: unknown): CommandFailure {
  const { code, message, isOfFlags: isUsage = false } = failure;
  return new CommandFailure(code, message, isUsage ? USAGE : 1, { cause });
}
