import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withCode } from '../contract/index.ts';
import { loadStrategy, type Strategy } from '../strategy/index.ts';

/**
 * Loads a plugin as a bot does: TypeScript or JavaScript, as a module whatever the package's `type` is. A test
 * may as well import it, where its runner or its package can.
 *
 * ```ts
 * const plugin = await loadPlugin(new URL('./mine.ts', import.meta.url));
 * testStrategy(plugin, { symbols: ['BTC'] });
 * ```
 *
 * @param file a URL, such as `new URL('./mine.ts', import.meta.url)`, or a path from the working directory
 * @throws Error with the code of the plugin's fault, its place and the remedy
 */
export async function loadPlugin(file: string | URL): Promise<Strategy> {
  const path = typeof file === 'string' ? resolve(file) : fileURLToPath(file);
  const loaded = await loadStrategy(path, { baseDir: dirname(path) });
  if (loaded.ok) return loaded.value.strategy;
  const { code, file: named, line, reason, remedy } = loaded.fault;
  const place = line === undefined ? named : `${named}:${line}`;
  throw withCode(code, new Error(`${place}: ${reason}\n  ${remedy}`));
}
