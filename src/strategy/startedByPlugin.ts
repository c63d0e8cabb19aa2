import { dirname, isAbsolute, sep } from 'node:path';
import { stackPaths } from './stackPaths.ts';

/** Operators start timers without a line of the plugin in the stack; nothing else here uses RxJS's own. */
const RXJS = /[/\\]node_modules[/\\]rxjs[/\\]/;

/**
 * Whether a timer of the machine belongs to a plugin: started from its folder, or by an operator that was not
 * given `ctx.scheduler`.
 *
 * @param uses plugins as configurations name them, paths absolute
 * @param directory the bot's
 * @returns for the path of the file that starts the timer
 */
export function startedByPlugin(
  uses: readonly string[],
  directory: string,
): (starter: string) => boolean {
  const folders = uses.flatMap((use) =>
    stackPaths(use, directory).map((path) => (isAbsolute(use) ? dirname(path) + sep : path)),
  );
  return (starter) => RXJS.test(starter) || folders.some((folder) => starter.includes(folder));
}
