import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageNameOf, readPluginPackage } from './PluginPackage.ts';

/** Where a link leads, which is what a stack shows; the path itself if it can't be followed. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function pathsOf(use: string, directory: string): string[] {
  if (isAbsolute(use)) return [use, realPathOf(use)];
  const named = `/node_modules/${packageNameOf(use)}/`;
  const manifest = readPluginPackage(use, directory)?.manifest;
  return manifest === undefined ? [named] : [named, dirname(realPathOf(manifest)) + sep];
}

/**
 * The paths by which a stack shows a plugin: its file, or the folder of its package. Each as it is named and where links
 * lead, as that to a release or to a package that is developed beside the bot; and as it stands in a module's address.
 *
 * @param use as a configuration names it, a path absolute
 * @param directory the bot's, from which packages are found
 */
export function stackPaths(use: string, directory: string): string[] {
  const paths = pathsOf(use, directory);
  return [...new Set(paths.flatMap((path) => [path, pathToFileURL(path).pathname]))];
}
