import { readFileSync } from 'node:fs';
import { extname, isAbsolute, relative } from 'node:path';
import { pluginSources } from '../../src/strategy/index.ts';

/** The limits of a verdict "nothing found", shown with it. */
export const LIMIT =
  'Limit: only the tape and feed files named by parameters are truncated. What a plugin reads ' +
  'elsewhere, from other files or the network, is not truncated: look-ahead in it is not found.';

/** Modules through which a plugin can read data that is not on the tape. */
const MODULES =
  'fs|fs/promises|net|tls|dgram|http|https|http2|child_process|worker_threads|sqlite|undici';
const BROUGHT_IN =
  /(?:\bfrom|\bimport|\bimport\s*\(|\brequire\s*\(|\bgetBuiltinModule\s*\()\s*(['"`])/.source;
const IMPORT = new RegExp(`${BROUGHT_IN}((?:node:)?(?:${MODULES}))\\1`, 'g');
/** Types are erased when a plugin runs. */
const TYPE_IMPORT = /\b(?:import|export)\s+type\b[^'"`;]*(['"`])[^'"`\n]*\1/g;
const GLOBAL = /(?:(?<![.\w$])|\bglobalThis\.)(fetch|WebSocket)(?=\s*\()/g;
const CODE = /^\.[cm]?[jt]sx?$/;

interface PluginPlaces {
  /** Base of relative paths. */
  directory: string;
  strategies: ReadonlyArray<{ use: string }>;
}

/**
 * A note for each file of the bot's plugins that can read more than the tape: one that imports a module
 * of files, sockets or processes, or is data itself. It searches their text; packages that a plugin
 * imports are not searched.
 */
export function noteOutsideData({ directory, strategies }: PluginPlaces): string[] {
  const files = strategies.flatMap(({ use }) => pluginSources(use, directory).files);
  return [...new Set(files)].flatMap((file) => {
    const shown = relative(directory, file);
    const name = shown.startsWith('..') || isAbsolute(shown) ? file : shown;
    if (!CODE.test(extname(file))) {
      return [`${name} is the plugin's own data, which this check can't truncate.`];
    }
    const found = waysOut(readFileSync(file, 'utf8'));
    if (found.length === 0) return [];
    const reads = `reads files or the network (its text has ${found.join(', ')})`;
    return [`${name} ${reads}: what it reads there this check can't truncate.`];
  });
}

/** Modules and globals in a source, each once. */
function waysOut(source: string): string[] {
  const text = source.replace(TYPE_IMPORT, '');
  const modules = [...text.matchAll(IMPORT)].map(([, , name]) => name!);
  const globals = [...text.matchAll(GLOBAL)].map(([, name]) => name!);
  return [...new Set([...modules, ...globals])];
}
