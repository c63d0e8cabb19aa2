import { existsSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ASKED = 'trimtab-plugin:';

/**
 * The file that an `import` of a package resolves to from a folder; in a package without `exports` its extension may
 * be left out, as for `require`.
 *
 * @returns undefined if it resolves to nothing; the file may be missing
 */
export function resolvePackage(use: string, baseDir: string): string | undefined {
  const parentURL = pathToFileURL(join(baseDir, 'plugin.js')).href;
  const target = imported(use, parentURL);
  if (target !== undefined && existsSync(target)) return target;
  return required(use, parentURL) ?? target;
}

/** `import.meta.resolve` knows no other parent than this file; a hook gives it one. */
function imported(use: string, parentURL: string): string | undefined {
  const hooks = registerHooks({
    resolve: (specifier, context, nextResolve) =>
      specifier === `${ASKED}${use}`
        ? nextResolve(use, { ...context, parentURL })
        : nextResolve(specifier, context),
  });
  try {
    return fileURLToPath(import.meta.resolve(`${ASKED}${use}`));
  } catch {
    return undefined;
  } finally {
    hooks.deregister();
  }
}

function required(use: string, parentURL: string): string | undefined {
  try {
    return createRequire(parentURL).resolve(use);
  } catch {
    return undefined;
  }
}
