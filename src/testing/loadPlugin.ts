import { testRefusal } from './testRefusal.ts';
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withCode } from '../contract/index.ts';
import { loadStrategy, type Strategy } from '../strategy/index.ts';

/**
 * Loads a plugin as a bot does: TypeScript or JavaScript, as a module whatever the package's `type` is, or from a
 * package, whose version and contract are checked. A test may as well import it, where its runner or its package can.
 *
 * ```ts
 * const plugin = await loadPlugin(new URL('./mine.ts', import.meta.url));
 * testStrategy(plugin, { symbols: ['BTC'] });
 * ```
 *
 * @param file a URL, such as `new URL('./mine.ts', import.meta.url)`, a path from the working directory, or a package
 *   that it could import, such as `my-package/strategy`
 * @throws Error with the code of the plugin's fault, its place and the remedy
 */
export async function loadPlugin(file: string | URL): Promise<Strategy> {
  if (typeof file !== 'string' && !((file as unknown) instanceof URL))
    throw testRefusal('loadPlugin: its path is neither a text nor a URL.', "Write './plugin.ts'.");
  const loaded = await loadStrategy(...placeOf(file));
  if (loaded.ok) return loaded.value.strategy;
  const { code, file: named, line, reason, remedy } = loaded.fault;
  const place = line === undefined ? named : `${named}:${line}`;
  throw withCode(code, new Error(`${place}: ${reason}\n  ${remedy}`));
}

/** What a configuration would call `use`, and the folder that it is read from. */
function placeOf(file: string | URL): [use: string, from: { baseDir: string }] {
  if (typeof file === 'string' && !isFile(file)) return [file, { baseDir: '.' }];
  const path = typeof file === 'string' ? resolve(file) : fileURLToPath(file);
  return [path, { baseDir: dirname(path) }];
}

/** A path needs no dot here, in contrast to one of a configuration. */
const isFile = (text: string): boolean =>
  /^[./\\]|\.[cm]?[jt]s$/.test(text) || isAbsolute(text) || existsSync(text);
