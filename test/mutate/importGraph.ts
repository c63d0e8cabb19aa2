import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { root } from '../sourceFiles.ts';

/** What a file loads, directly or through others; types load nothing. */
export interface ImportGraph {
  /** Files of the project, from its root. */
  reachedFrom(file: string): ReadonlySet<string>;
  /** What it loads itself. */
  importedBy(file: string): readonly string[];
}

const LOADED =
  /(?:^|\n)\s*(?:import|export)\s+(?!type\b)[^;'"]*?\bfrom\s*['"]([^'"]+)['"]|(?:^|\n)import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g;

export function createImportGraph(): ImportGraph {
  const direct = new Map<string, readonly string[]>();
  const entries = ownEntries();

  const importsOf = (file: string): readonly string[] => {
    const known = direct.get(file);
    if (known !== undefined) return known;
    const names = [...readFileSync(join(root, file), 'utf8').matchAll(LOADED)].map(
      ([, from, bare, dynamic]) => from ?? bare ?? dynamic!,
    );
    const found = names.flatMap((name) => {
      const target = name.startsWith('.') ? posix.join(posix.dirname(file), name) : entries[name];
      return target?.endsWith('.ts') && existsSync(join(root, target)) ? [target] : [];
    });
    direct.set(file, found);
    return found;
  };

  return {
    importedBy: importsOf,
    reachedFrom(file) {
      const reached = new Set<string>();
      const open = [file];
      for (let next = open.pop(); next !== undefined; next = open.pop()) {
        for (const target of importsOf(next)) {
          if (reached.has(target)) continue;
          reached.add(target);
          open.push(target);
        }
      }
      return reached;
    },
  };
}

/** `trimtab/testing` → `src/testing.ts`. */
function ownEntries(): Readonly<Record<string, string>> {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, string | Record<string, string>>;
  };
  return Object.fromEntries(
    Object.entries(exports).flatMap(([name, target]) =>
      typeof target === 'string'
        ? []
        : [[posix.join('trimtab', name), posix.normalize(target['trimtab-source']!)]],
    ),
  );
}
