import { readFileSync } from 'node:fs';
import { extname, isAbsolute, relative } from 'node:path';
import { pluginSources } from '../../src/strategy/index.ts';

/** What a verdict of "nothing found" does not say; a reader must not have to look it up. */
export const LIMIT =
  "Limit: only the tape is ended earlier, and a feed's file that a parameter names. What a plugin reads " +
  'elsewhere, from other files or the network, stays whole: a look ahead in it is not found.';

/** Modules by which a plugin gets at what is not on the tape. */
const MODULES =
  'fs|fs/promises|net|tls|dgram|http|https|http2|child_process|worker_threads|sqlite|undici';
const BROUGHT_IN =
  /(?:\bfrom|\bimport|\bimport\s*\(|\brequire\s*\(|\bgetBuiltinModule\s*\()\s*(['"`])/.source;
const IMPORT = new RegExp(`${BROUGHT_IN}((?:node:)?(?:${MODULES}))\\1`, 'g');
/** Types are gone when a plugin runs. */
const TYPE_IMPORT = /\b(?:import|export)\s+type\b[^'"`;]*(['"`])[^'"`\n]*\1/g;
const GLOBAL = /(?:(?<![.\w$])|\bglobalThis\.)(fetch|WebSocket)(?=\s*\()/g;
const CODE = /^\.[cm]?[jt]sx?$/;

interface PluginPlaces {
  /** That relative paths start from. */
  directory: string;
  strategies: ReadonlyArray<{ use: string }>;
}

/**
 * A note for each file of the bot's plugins that can read more than the tape: one that imports a module of
 * files, sockets or processes, or is data itself. It is a search of their texts; packages that a plugin
 * imports are not looked into.
 */
export function noteOutsideData({ directory, strategies }: PluginPlaces): string[] {
  const files = strategies.flatMap(({ use }) => pluginSources(use, directory).files);
  return [...new Set(files)].flatMap((file) => {
    const shown = relative(directory, file);
    const name = shown.startsWith('..') || isAbsolute(shown) ? file : shown;
    if (!CODE.test(extname(file))) {
      return [`${name} is data of a plugin's own, which this check can't truncate.`];
    }
    const found = waysOut(readFileSync(file, 'utf8'));
    if (found.length === 0) return [];
    const reads = `reads files or the network (its text has ${found.join(', ')})`;
    return [`${name} ${reads}: what it reads there this check can't truncate.`];
  });
}

/** Modules and globals as they stand in a source, each once. */
function waysOut(source: string): string[] {
  const text = source.replace(TYPE_IMPORT, '');
  const modules = [...text.matchAll(IMPORT)].map(([, , name]) => name!);
  const globals = [...text.matchAll(GLOBAL)].map(([, name]) => name!);
  return [...new Set([...modules, ...globals])];
}
