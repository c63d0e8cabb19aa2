import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { findPlugin } from './findPlugin.ts';

/** The files of a plugin. */
export interface PluginSources {
  /** The file that is imported; null if none was found. */
  entry: string | null;
  /** The entry, and every file that it imports by a relative path; absolute, sorted. */
  files: string[];
  /** Of a package: its name and version. */
  package: { name: string; version: string } | null;
}

/**
 * The files of a plugin. A package is its entry with that entry's imports, and its version; packages that a
 * plugin imports in turn are not followed.
 *
 * @param use as in the configuration: a path, or a package's name
 * @returns no files if the plugin can't be found; loading it gives the reason
 */
export function pluginSources(use: string, baseDir: string): PluginSources {
  const found = findPlugin(use, resolve(baseDir));
  if (!found.ok) return { entry: null, files: [], package: null };
  const { target, package: origin } = found.value;
  const named = origin === undefined ? null : { name: origin.name, version: origin.version };
  return { entry: target, files: filesFrom(target), package: named };
}

/**
 * A string behind `from`, `import`, `import(`, `require(` or `new URL(` that begins with a dot. One in a
 * comment counts too: a file too many does no harm, one too few does.
 */
const RELATIVE =
  /(?:\bfrom|\bimport|\bimport\s*\(|\brequire\s*\(|\bnew\s+URL\s*\()\s*(['"`])(\.{1,2}(?:\/[^'"`\n]*)?)\1/g;
const CODE = /\.[cm]?[jt]sx?$/;

/** A file and all that it imports by relative paths, each once; what does not exist is left out. */
export function filesFrom(entry: string): string[] {
  const seen = new Set<string>();
  const open = [entry];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file) || !isFile(file)) continue;
    seen.add(file);
    if (!CODE.test(file)) continue;
    for (const [, , path = ''] of readFileSync(file, 'utf8').matchAll(RELATIVE)) {
      const target = fileOf(resolve(dirname(file), path));
      if (target !== undefined) open.push(target);
    }
  }
  return [...seen].sort();
}

const ENDINGS = ['.ts', '.mts', '.cts', '.tsx', '.js', '.mjs', '.cjs', '.json'];

/** An import may omit the extension, name a folder, or name the JavaScript file that TypeScript compiles to. */
function fileOf(path: string): string | undefined {
  const source = path.replace(/\.([cm]?)js$/, '.$1ts');
  const guesses = [path, source, ...ENDINGS.map((ending) => `${path}${ending}`)];
  const inside = ENDINGS.map((ending) => join(path, `index${ending}`));
  return [...guesses, ...inside].find(isFile);
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}
