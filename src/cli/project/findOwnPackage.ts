import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** What of a package.json this file reads. */
interface Manifest {
  version: string;
  peerDependencies: Readonly<Record<string, string>>;
  devDependencies: Readonly<Record<string, string>>;
}

/** This package, as a new project depends on it. */
export interface OwnPackage {
  /** Absolute path of the folder with its package.json. */
  home: string;
  manifest: Manifest;
  /** Value of `dependencies.trimtab` for a package.json in `dir`. */
  dependencyFrom: (dir: string) => string;
}

/**
 * Finds the running package and where it was installed from. A new project gets it from the same place: the
 * tarball that npx or a project installed, the clone that runs, an address, else the registry by version.
 */
export function findOwnPackage(): OwnPackage {
  const file = createRequire(import.meta.url).resolve('trimtab/package.json');
  const home = dirname(file);
  const manifest = readManifest(file) as Manifest;
  return { home, manifest, dependencyFrom: (dir) => dependencyOf(home, manifest.version, dir) };
}

function dependencyOf(home: string, version: string, dir: string): string {
  const [root, inside] = home.split(`${sep}node_modules${sep}`);
  // Outside of any node_modules the package is a clone.
  if (inside === undefined) return fileSpec(home, dir);
  const { dependencies, devDependencies } = readManifest(join(root!, 'package.json'));
  const listed = dependencies?.['trimtab'] ?? devDependencies?.['trimtab'] ?? '';
  if (listed.startsWith('file:')) return fileSpec(resolve(root!, listed.slice(5)), dir);
  return /^(https?:|git)/.test(listed) ? listed : `^${version}`;
}

/** Relative, so that both can be moved together. */
function fileSpec(path: string, dir: string): string {
  return `file:${relative(resolve(dir), path).split(sep).join('/')}`;
}

function readManifest(file: string): Partial<Manifest & { dependencies: Record<string, string> }> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Partial<Manifest>;
  } catch {
    return {};
  }
}
