import { resolve } from 'node:path';
import { checkDefinition } from './checkDefinition.ts';
import type { Strategy } from './defineStrategy.ts';
import type { FreshImport } from './FreshImport.ts';
import { findPlugin } from './findPlugin.ts';
import { importPlugin } from './importPlugin.ts';
import type { PluginResult } from './PluginFault.ts';

export interface LoadedStrategy {
  strategy: Strategy;
  /** The file that it came from, or the package's name. */
  file: string;
}

/**
 * Loads a plugin: by a path that starts with a dot (or is absolute), read from `baseDir`, or by a package name
 * that `baseDir` can import. TypeScript is loaded straight from source.
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
  const { file, target } = found.value;
  const imported = await importPlugin(found.value, folder, fresh);
  if (!imported.ok) return imported;
  const checked = checkDefinition(imported.value, file);
  return checked.ok ? { ok: true, value: { strategy: checked.value, file: target } } : checked;
}
