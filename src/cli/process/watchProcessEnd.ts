import { writeSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { relative } from 'node:path';
// Of a command's start: not by the folders' indexes, which load a backtest.
import { isOwnCall, placeOfPlugin } from '../../operate/run/placeIn.ts';
import { importsUnderway } from '../../strategy/importsUnderway.ts';
import { CommandFailure } from '../failures/CommandFailure.ts';

const STDERR = 2;
/** What Node gives a module that waits for what can't come. */
const UNSETTLED = 13;
/** Deep enough to reach a plugin's line through operators. */
const DEPTH = 60;

const REMEDY =
  '  Remove the call: to end a strategy, let it throw. The command did not finish, so its results are missing.';

/**
 * Reports an end of the process that is not the command's: a plugin that calls `process.exit`, and one that waits at
 * import time for what never comes. Without a word and with code 0, a script would take it for success.
 *
 * @param explain a failure as the text that is written
 * @returns to call when the command has ended
 */
export function watchProcessEnd(explain: (failure: CommandFailure) => string): () => void {
  const { exit } = process;
  let isOver = false;
  const report = (failure: CommandFailure): void => {
    isOver = true;
    // The process ends before a stream would have written.
    writeSync(STDERR, explain(failure));
  };

  const watchedExit = (code?: number | string | null): never => {
    const stack = stackHere();
    if (isOver || isOwnCall(stack)) {
      isOver = true;
      return exit(code);
    }
    const place = placeOfPlugin(stack);
    const who = place === undefined ? 'A plugin, or a package of it,' : shown(place);
    const call = `process.exit(${code ?? ''})`;
    report(new CommandFailure('TRIMTAB_PLUGIN_EXITED', `${who} called ${call}.\n${REMEDY}`));
    return exit(failingCode(code ?? process.exitCode));
  };

  const onExit = (code: number): void => {
    // Another code is that of an exception, whose trace Node has written.
    if (isOver || (code !== 0 && code !== UNSETTLED)) return;
    process.exitCode = 1;
    const [file] = importsUnderway();
    report(file === undefined ? unfinished() : unsettled(file));
  };

  process.exit = watchedExit;
  syncBuiltinESMExports();
  process.on('exit', onExit);
  return () => {
    isOver = true;
    if (process.exit === watchedExit) process.exit = exit;
    syncBuiltinESMExports();
    process.off('exit', onExit);
  };
}

function unsettled(file: string): CommandFailure {
  return new CommandFailure(
    'TRIMTAB_PLUGIN_UNSETTLED',
    `${shown(file)}: It awaits something at import time that never comes, and nothing else is left to wait for.\n` +
      '  A plugin may only define at import time: move the await into a stream of setup, or take it out.',
  );
}

function unfinished(): CommandFailure {
  return new CommandFailure(
    'TRIMTAB_PLUGIN_EXITED',
    `The process ended before the command had.\n${REMEDY}`,
  );
}

const shown = (file: string): string => {
  const here = relative('.', file);
  return here.startsWith('..') ? file : here;
};

function failingCode(code: unknown): number {
  const given = Number(code ?? 0);
  return Number.isInteger(given) && given !== 0 ? given : 1;
}

function stackHere(): string {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = DEPTH;
  const { stack = '' } = new Error('here');
  Error.stackTraceLimit = stackTraceLimit;
  // The message, this function and the one that stands in for process.exit.
  return stack.split('\n').slice(3).join('\n');
}
