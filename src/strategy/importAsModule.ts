import { readFileSync } from 'node:fs';
import { registerHooks, type LoadHookSync, type ResolveHookSync } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { FreshImport } from './FreshImport.ts';

/** What a module exports, by name. */
export type Module = Readonly<Record<string, unknown>>;

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

const isOwnFile = (url: string): boolean =>
  url.startsWith('file:') && !url.includes('/node_modules/');

function isOwnSource(url: string): boolean {
  return isOwnFile(url) && MODULE_SYNTAX.test(readFileSync(fileURLToPath(url), 'utf8'));
}

/** A specifier of a file, in contrast to one of a package. */
const FILE_SPECIFIER = /^(?:\.{0,2}\/|file:|#)/;

/** Gives what a fresh module imports by path the same mark, so that it is fresh, too; packages stay as they are. */
function resolveFresh({ version, onFile }: FreshImport): ResolveHookSync {
  const mark = `?fresh=${version}`;
  return (specifier, context, nextResolve) => {
    const isFresh = context.parentURL?.endsWith(mark) === true && FILE_SPECIFIER.test(specifier);
    if (!isFresh) return nextResolve(specifier, context);
    // Reported before it is found: a missing file may appear.
    if (specifier.startsWith('.')) onFile(fileURLToPath(new URL(specifier, context.parentURL)));
    const resolved = nextResolve(specifier, context);
    if (!isOwnFile(resolved.url)) return resolved;
    onFile(fileURLToPath(resolved.url));
    return { ...resolved, url: `${resolved.url}${mark}` };
  };
}

/**
 * A CommonJS module's exports are its default: what it, or a compiler, assigned to `exports.default` is the default that
 * its author means.
 */
export function withOwnDefault(module: Module): Module {
  const exported = module['default'];
  const isWrapped =
    typeof exported === 'object' && exported !== null && Object.hasOwn(exported, 'default');
  return isWrapped ? (exported as Module) : module;
}

/**
 * Imports a user's file, and what it imports, as ES modules.
 *
 * @param fresh default: a module that was imported before is not read again
 * @throws what the import throws
 */
export async function importAsModule(url: string, fresh?: FreshImport): Promise<Module> {
  const resolve = fresh === undefined ? {} : { resolve: resolveFresh(fresh) };
  const hooks = registerHooks({ load, ...resolve });
  fresh?.onFile(fileURLToPath(url));
  try {
    const marked = fresh === undefined ? url : `${url}?fresh=${fresh.version}`;
    return withOwnDefault((await import(marked)) as Module);
  } finally {
    hooks.deregister();
  }
}
