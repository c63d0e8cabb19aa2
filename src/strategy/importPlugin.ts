import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { faultOfError } from './faultOfError.ts';
import type { FreshImport } from './FreshImport.ts';
import { importAsModule, withOwnDefault, type Module } from './importAsModule.ts';
import { whileImporting } from './importsUnderway.ts';
import { refusePlugin, type PluginFault, type PluginResult } from './PluginFault.ts';
import type { PluginPlace } from './findPlugin.ts';

/**
 * Errors that only mean a limit of Node's type stripping: enums and parameter properties, imports without an
 * extension, TypeScript inside node_modules. A compiler accepts all of them.
 */
const NEEDS_COMPILER: ReadonlySet<string> = new Set([
  'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX',
  'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING',
  'ERR_UNSUPPORTED_DIR_IMPORT',
  'ERR_MODULE_NOT_FOUND',
  'ERR_UNKNOWN_FILE_EXTENSION',
]);

const codeOf = (error: unknown): string =>
  (error as NodeJS.ErrnoException | null | undefined)?.code ?? '';

/**
 * Imports a plugin straight from its source. A plugin is trusted code: it runs with all rights of the process,
 * and nothing here is a sandbox.
 */
export function importPlugin(
  place: PluginPlace,
  baseDir: string,
  fresh?: FreshImport,
): Promise<PluginResult<Module>> {
  return whileImporting(place.target, () => importFrom(place, baseDir, fresh));
}

async function importFrom(
  place: PluginPlace,
  baseDir: string,
  fresh?: FreshImport,
): Promise<PluginResult<Module>> {
  const url = pathToFileURL(place.target).href;
  try {
    return { ok: true, value: await importAsModule(url, fresh) };
  } catch (error) {
    if (NEEDS_COMPILER.has(codeOf(error))) return compilePlugin(url, place, { baseDir, fresh });
    const fault = faultOfError(error, place);
    const hidesLine = error instanceof SyntaxError && fault.line === undefined;
    return refusePlugin(hidesLine ? readAgain(place, fault) : fault);
  }
}

/** Node does not report the line of a JavaScript syntax error; its TypeScript parser does. */
function readAgain(place: PluginPlace, fault: PluginFault): PluginFault {
  try {
    stripTypeScriptTypes(readFileSync(place.target, 'utf8'), { sourceUrl: place.target });
    return fault;
  } catch (error) {
    return faultOfError(error, place);
  }
}

/** The slower way, by esbuild; loaded only if a plugin needs it. */
async function compilePlugin(
  url: string,
  place: PluginPlace,
  { baseDir, fresh }: { baseDir: string; fresh?: FreshImport | undefined },
): Promise<PluginResult<Module>> {
  const onImport = (file: string): void => {
    if (file.startsWith('file:') && !file.includes('/node_modules/'))
      fresh?.onFile(fileURLToPath(file));
  };
  try {
    const { tsImport } = await import('tsx/esm/api');
    const parentURL = pathToFileURL(`${baseDir}/`).href;
    // Each call has modules of its own.
    const imported = (await tsImport(url, { parentURL, tsconfig: false, onImport })) as Module;
    return { ok: true, value: withOwnDefault(imported) };
  } catch (error) {
    return refusePlugin(faultOfError(error, place));
  }
}
