import { resolve } from 'node:path';
import { checkDefinition } from './checkDefinition.ts';
import { refusal } from './checkPackage.ts';
import type { Strategy } from './defineStrategy.ts';
import type { FreshImport } from './FreshImport.ts';
import { findPlugin } from './findPlugin.ts';
import { importPlugin } from './importPlugin.ts';
import { refusePlugin, type PluginResult } from './PluginFault.ts';

export interface LoadedStrategy {
  strategy: Strategy;
  /** The file that it came from. */
  file: string;
}

/**
 * Loads a plugin: by a path that starts with a dot (or is absolute), read from `baseDir`, or by a package name,
 * with a subpath if it has several, that `baseDir` can import. TypeScript is loaded straight from source.
 *
 * @param options.fresh for a program that loads the same plugin again after its file has changed
 * @returns the plugin, or a fault with file, line if known, reason and remedy; it never rejects
 */
export async function loadStrategy(
  use: string,
  { baseDir, fresh }: { baseDir: string; fresh?: FreshImport | undefined },
): Promise<PluginResult<LoadedStrategy>> {
  const folder = resolve(baseDir);
  const found = findPlugin(use, folder);
  if (!found.ok) return found;
  const { file, target, package: origin } = found.value;
  const imported = await importPlugin(found.value, folder, fresh);
  if (!imported.ok) return imported;
  const checked = checkDefinition(imported.value, file);
  if (checked.ok) return { ok: true, value: { strategy: checked.value, file: target } };
  if (origin === undefined || checked.fault.code !== 'TRIMTAB_PLUGIN_VERSION') return checked;
  const { contract } = imported.value['default'] as Strategy;
  return refusePlugin(refusal(use, origin, contract));
}
