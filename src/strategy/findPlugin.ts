import { readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, extname, isAbsolute, join, relative, resolve } from 'node:path';
import { refusePlugin, type PluginResult } from './PluginFault.ts';

/** A plugin's place: a file, or a package that only an import can resolve. */
export interface PluginPlace {
  /** For display: relative to the base folder if it is inside of it. */
  file: string;
  /** Absolute path, or the package's name. */
  target: string;
}

/** Whether a `use` names a file; else it names a package. */
export const isPath = (use: string): boolean => /^\.{1,2}[\\/]/.test(use) || isAbsolute(use);

/** Resolves a `use`: a path that starts with a dot is read from `baseDir`, anything else is a package. */
export function findPlugin(use: string, baseDir: string): PluginResult<PluginPlace> {
  return isPath(use) ? findFile(use, baseDir) : findPackage(use, baseDir);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function findFile(use: string, baseDir: string): PluginResult<PluginPlace> {
  const target = resolve(baseDir, use);
  const shown = relative(baseDir, target);
  const file = shown.startsWith('..') || isAbsolute(shown) ? target : shown;
  if (isFile(target)) return { ok: true, value: { file, target } };
  return refusePlugin({
    code: 'TRIMTAB_PLUGIN_NOT_FOUND',
    file,
    reason: 'There is no such file.',
    remedy: remedyFor(target),
  });
}

const PLUGIN_FILE = /\.[cm]?[jt]s$/;

/** Names the file that was probably meant: same name with another extension, else the existing ones. */
function remedyFor(target: string): string {
  const folder = dirname(target);
  if (!(statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false)) {
    return `There is no folder ${folder} either; paths are read from the configuration's folder.`;
  }
  const files = readdirSync(folder)
    .filter((name) => PLUGIN_FILE.test(name))
    .sort();
  const stem = (name: string): string => basename(name, extname(name)).toLowerCase();
  const wanted = stem(target);
  const near = files.filter(
    (name) => stem(name).startsWith(wanted) || wanted.startsWith(stem(name)),
  );
  if (near.length > 0) return `Did you mean ${near.join(' or ')}?`;
  if (files.length === 0) return `${folder} holds no plugin at all.`;
  return `${folder} has ${files.slice(0, 10).join(', ')}.`;
}

function findPackage(use: string, baseDir: string): PluginResult<PluginPlace> {
  try {
    const target = createRequire(join(baseDir, 'plugin.js')).resolve(use);
    return { ok: true, value: { file: use, target } };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    // Exported for `import` only, so `require` can't resolve what an import can.
    if (code === 'ERR_PACKAGE_PATH_NOT_EXPORTED')
      return { ok: true, value: { file: use, target: use } };
    const reason = `There is no package ${use} that ${baseDir} could import.`;
    const path = isFile(resolve(baseDir, use)) ? ` A file is named by its path: ./${use}` : '';
    return refusePlugin({
      code: 'TRIMTAB_PLUGIN_NOT_FOUND',
      file: use,
      reason,
      remedy: `npm install ${use}.${path}`.trim(),
    });
  }
}
