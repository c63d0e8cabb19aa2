import { readFileSync } from 'node:fs';
import { findPackageJSON, isBuiltin } from 'node:module';
import { pathToFileURL } from 'node:url';

export interface ImportedPackage {
  name: string;
  /** Several where the files get different ones. */
  version: string;
}

/**
 * A string behind `from`, `import`, `import(` or `require(` that names a package, with what of the package
 * is meant left out. One in a comment counts too, as long as there is such a package.
 */
const PACKAGE =
  /(?:\bfrom|\bimport|\bimport\s*\(|\brequire\s*\()\s*(['"`])((?:@[\w.~-]+\/)?[a-zA-Z0-9][\w.~-]*)(?:\/[^'"`\n]*)?\1/g;
const CODE = /\.[cm]?[jt]sx?$/;

/**
 * The packages that files import, as each of them gets it from where it lies, by name. What these import
 * in turn is not followed.
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

/** Null where no such package can be found from the file; importing it says so, if it is imported at all. */
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
