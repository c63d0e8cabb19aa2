import { readFileSync } from 'node:fs';

/** Where a module's code begins in a chunk, by the comment that the build leaves: `// src/paper/venue/applyFill.js`. */
const BEGINNING = /^\/\/ ((?:src|backtest)\/\S+\.js)$/;

/**
 * Finds the module that a line of a built chunk comes from.
 *
 * @returns a function of the chunk's path and the line, counted from 0: the module's path from the package's folder;
 *   undefined where no module begins before the line
 */
export function createModuleFinder(): (path: string, line: number) => string | undefined {
  const chunks = new Map<string, ReadonlyArray<readonly [line: number, module: string]>>();
  return (path, line) => {
    const known = chunks.get(path) ?? beginningsIn(path);
    chunks.set(path, known);
    return known.findLast(([start]) => start <= line)?.[1];
  };
}

function beginningsIn(path: string): Array<readonly [line: number, module: string]> {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.flatMap((text, at) => {
    const module = BEGINNING.exec(text)?.[1];
    return module === undefined ? [] : [[at, module] as const];
  });
}
