import { readFileSync } from 'node:fs';
import { findPackageJSON, isBuiltin } from 'node:module';
import { pathToFileURL } from 'node:url';

export interface ImportedPackage {
  name: string;
  /** Several if the files resolve to different ones. */
  version: string;
}

/**
 * A string after `from`, `import`, `import(` or `require(` that names a package, without the subpath. One
 * in a comment counts too, if there is such a package.
 */
const PACKAGE =
  /(?:\bfrom|\bimport|\bimport\s*\(|\brequire\s*\()\s*(['"`])((?:@[\w.~-]+\/)?[a-zA-Z0-9][\w.~-]*)(?:\/[^'"`\n]*)?\1/g;
const CODE = /\.[cm]?[jt]sx?$/;

/**
 * The packages that files import, by name, each as resolved from the file's location. Their own imports
 * are not followed.
 */
export function importedPackages(files: readonly string[]): ImportedPackage[] {
  const versions = new Map<string, Set<string>>();
  for (const file of files) {
    if (!CODE.test(file)) continue;
    for (const [, , name = ''] of readFileSync(file, 'utf8').matchAll(PACKAGE)) {
      const version = isBuiltin(name) ? null : versionOf(name, file);
      if (version !== null) versions.set(name, (versions.get(name) ?? new Set()).add(version));
    }
  }
  return [...versions]
    .map(([name, all]) => ({ name, version: [...all].sort().join(', ') }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Null if the package can't be resolved from the file; if it is really imported, the import reports that.
 */
function versionOf(name: string, file: string): string | null {
  try {
    const path = findPackageJSON(name, pathToFileURL(file));
    if (path === undefined) return null;
    const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version?: unknown };
    return typeof version === 'string' ? version : 'unknown';
  } catch {
    return null;
  }
}
