import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The npm package that a `use` names, by its package.json. */
export interface PluginPackage {
  name: string;
  version: string;
  /** Absolute path of its package.json. */
  manifest: string;
  /** Keys of its `exports`, or none if it has no such field. */
  exported: readonly string[];
  /** Range of Trimtab's versions that it asks for: `peerDependencies.trimtab`. */
  wants?: string;
  /** `trimtab.contract`: the strategy contract that its plugins are written for. */
  contract?: unknown;
}

interface Manifest {
  name?: string;
  version?: string;
  exports?: unknown;
  peerDependencies?: Readonly<Record<string, string>>;
  trimtab?: { contract?: unknown };
}

/** The package's name in a `use`: `my-package/strategy` → `my-package`, `@me/bots/trend` → `@me/bots`. */
export function packageNameOf(use: string): string {
  return use
    .split('/')
    .slice(0, use.startsWith('@') ? 2 : 1)
    .join('/');
}

/** The package that a file in `baseDir` would import; undefined if there is none. */
export function readPluginPackage(use: string, baseDir: string): PluginPackage | undefined {
  try {
    const from = pathToFileURL(join(resolve(baseDir), 'plugin.js'));
    const path = findPackageJSON(packageNameOf(use), from);
    if (path === undefined) return undefined;
    const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
    const { name = packageNameOf(use), version = 'unknown', trimtab } = manifest;
    const wants = manifest.peerDependencies?.['trimtab'];
    const contract = trimtab?.contract;
    return {
      name,
      version,
      manifest: path,
      exported: exportsOf(manifest.exports),
      ...(wants === undefined ? {} : { wants }),
      ...(contract === undefined ? {} : { contract }),
    };
  } catch {
    return undefined;
  }
}

function exportsOf(exports: unknown): string[] {
  if (typeof exports === 'string') return ['.'];
  const keys = typeof exports === 'object' && exports !== null ? Object.keys(exports) : [];
  return keys.some((key) => key.startsWith('.')) ? keys : keys.slice(0, 1).map(() => '.');
}
