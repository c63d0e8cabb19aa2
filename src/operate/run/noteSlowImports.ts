import { relative } from 'node:path';
import { runAtInterval, type Cancel } from '../../env/index.ts';
// Of a command's start: not by the folder's index, which loads a backtest.
import { importsUnderway } from '../../strategy/importsUnderway.ts';

const LOOK_MS = 5_000;

/**
 * Names each plugin whose import has not ended after some seconds: one that awaits what never comes holds up a command
 * that has something else to wait for, such as a page that it serves.
 *
 * @returns to call when the command has ended
 */
export function noteSlowImports(write: (text: string) => void): Cancel {
  let before: readonly string[] = [];
  const named = new Set<string>();
  const look = (): void => {
    const underway = importsUnderway();
    for (const file of underway) {
      if (!before.includes(file) || named.has(file)) continue;
      named.add(file);
      write(`Still importing ${relative('.', file)}: does it await something at import time?\n`);
    }
    before = underway;
  };
  return runAtInterval(LOOK_MS, look);
}
