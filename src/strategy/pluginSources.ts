import { existsSync, readFileSync, statSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findPlugin, isPath } from './findPlugin.ts';

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
  const { target } = found.value;
  if (isPath(use)) return { entry: target, files: filesFrom(target), package: null };
  const manifest = manifestOf(use, baseDir);
  const entry = isAbsolute(target) ? target : ((manifest && entryOf(manifest)) ?? null);
  const { name = use, version = 'unknown' } = manifest?.content ?? {};
  return { entry, files: entry === null ? [] : filesFrom(entry), package: { name, version } };
}

interface Manifest {
  path: string;
  content: { name?: string; version?: string; exports?: unknown };
}

function manifestOf(name: string, baseDir: string): Manifest | undefined {
  const path = findPackageJSON(name, pathToFileURL(join(resolve(baseDir), 'plugin.js')));
  if (path === undefined) return undefined;
  return { path, content: JSON.parse(readFileSync(path, 'utf8')) as Manifest['content'] };
}

/** The entry that an import resolves in a package exported for `import` only. */
function entryOf({ path, content }: Manifest): string | undefined {
  let target: unknown = content.exports;
  while (typeof target === 'object' && target !== null) {
    const by = target as Readonly<Record<string, unknown>>;
    target = by['.'] ?? by['node'] ?? by['import'] ?? by['default'];
  }
  return typeof target === 'string' ? join(dirname(path), target) : undefined;
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
