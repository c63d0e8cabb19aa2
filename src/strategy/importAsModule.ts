import { readFileSync } from 'node:fs';
import { registerHooks, type LoadHookSync } from 'node:module';
import { fileURLToPath } from 'node:url';

/** The format that Node infers from a package's `type`, and the real one if the file imports or exports. */
const AS_MODULE: Readonly<Record<string, string>> = {
  commonjs: 'module',
  'commonjs-typescript': 'module-typescript',
};

/** A line that only an ES module may contain. */
const MODULE_SYNTAX = /^(?:import\b(?!\s*\()|export\b)/m;

/**
 * `npm init` writes `"type": "commonjs"` into package.json, and Node then refuses every `import` of the files
 * beside it. A user's file that imports or exports is a module regardless of its package.
 */
const load: LoadHookSync = (url, context, nextLoad) => {
  const format = AS_MODULE[context.format ?? ''];
  if (format === undefined || !isOwnSource(url)) return nextLoad(url, context);
  return nextLoad(url, { ...context, format });
};

function isOwnSource(url: string): boolean {
  if (!url.startsWith('file:') || url.includes('/node_modules/')) return false;
  return MODULE_SYNTAX.test(readFileSync(fileURLToPath(url), 'utf8'));
}

/**
 * Imports a user's file, and what it imports, as ES modules.
 *
 * @throws what the import throws
 */
export async function importAsModule(url: string): Promise<Readonly<Record<string, unknown>>> {
  const hooks = registerHooks({ load });
  try {
    return (await import(url)) as Readonly<Record<string, unknown>>;
  } finally {
    hooks.deregister();
  }
}
