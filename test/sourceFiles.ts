import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';

/** Root of the project. */
export const root = join(import.meta.dirname, '..');

/** Every TypeScript file below a folder of the project, as a path from its root with `/`. */
export function sourceFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

/** The files of `src` that `exports` of package.json names for code, such as `src/index.ts`. */
export function entryFiles(): string[] {
  const { exports } = JSON.parse(read('package.json')) as {
    exports: Record<string, string | Record<string, string>>;
  };
  return Object.values(exports).flatMap((target) =>
    typeof target === 'string' ? [] : [posix.normalize(target['trimtab-source']!)],
  );
}

/** What acts as soon as it is loaded and is started by its path: the command line and threads. */
export const PROGRAMS = [
  'src/cli/main.ts',
  'src/env/loopWatch/loopWatchThread.ts',
  'src/strategy/thread/strategyThread.ts',
  'src/operate/shadow/shadowThread.ts',
  'backtest/sweep/pointThread.ts',
  'backtest/sweep/sweepThread.ts',
  'backtest/dev/devThread.ts',
];

/** What the build makes of an entry: a module at its place, and the chunk that it names. */
export const builtFiles = (entry: string): string[] => {
  const built = entry.replace(/\.ts$/, '.js');
  return [`dist/${built}`, `dist/src/chunks/${built.replace(/^src\//, '').replaceAll('/', '-')}`];
};

export const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Source without comments, so that prose is not taken for code. */
export function codeOf(file: string): string {
  return read(file)
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|[^:'"`\\])\/\/[^\n]*/g, '$1');
}

/** What a file imports, statically or dynamically; a text that it writes elsewhere is no import of its own. */
export function importsOf(file: string): string[] {
  const pattern = /(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"]+)['"]/g;
  const code = codeOf(file).replace(/= `[^`]*`;/g, '');
  return [...code.matchAll(pattern)].map((match) => match[1]!);
}
