import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, extname, isAbsolute, relative, resolve } from 'node:path';
import { nearest } from '../contract/nearest.ts';
import { checkPackage } from './checkPackage.ts';
import { refusePlugin, type PluginFault, type PluginResult } from './PluginFault.ts';
import { packageNameOf, readPluginPackage, type PluginPackage } from './PluginPackage.ts';
import { resolvePackage } from './resolvePackage.ts';

/** A plugin's place: a file of the user's, or of a package. */
export interface PluginPlace {
  /** For display: relative to the base folder if it is inside of it; of a package as it is named. */
  file: string;
  /** Absolute path. */
  target: string;
  /** Where it is in one that was named. */
  package?: PluginPackage;
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
    reason: isFolder(target)
      ? 'It is a folder, and a plugin is one file.'
      : 'There is no such file.',
    remedy: isFolder(target) ? remedyIn(target) : remedyFor(target),
  });
}

const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

const PLUGIN_FILE = /\.[cm]?[jt]s$/;

/** Names the file that was probably meant: same name with another extension, else the existing ones. */
function remedyFor(target: string): string {
  const folder = dirname(target);
  if (!isFolder(folder)) {
    return `There is no folder ${folder} either; paths are read from the configuration's folder.`;
  }
  const files = pluginsIn(folder);
  const stem = (name: string): string => basename(name, extname(name)).toLowerCase();
  const wanted = stem(target);
  const near = files.filter(
    (name) => stem(name).startsWith(wanted) || wanted.startsWith(stem(name)),
  );
  const meant = nearest(wanted, files.map(stem));
  if (near.length === 0) near.push(...files.filter((name) => stem(name) === meant));
  if (near.length > 0) return `Did you mean ${near.join(' or ')}?`;
  return remedyIn(folder);
}

const pluginsIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => PLUGIN_FILE.test(name))
    .sort();

function remedyIn(folder: string): string {
  const files = pluginsIn(folder);
  if (files.length === 0) return `${folder} holds no plugin at all.`;
  return `${folder} has ${files.slice(0, 10).join(', ')}.`;
}

function findPackage(use: string, baseDir: string): PluginResult<PluginPlace> {
  const found = readPluginPackage(use, baseDir);
  if (found === undefined) return refusePlugin(missingPackage(use, baseDir));
  const checked = checkPackage(use, found);
  if (!checked.ok) return checked;
  const target = resolvePackage(use, baseDir);
  if (target !== undefined && isFile(target))
    return { ok: true, value: { file: use, target, package: found } };
  return refusePlugin(unresolved(use, found, target));
}

function missingPackage(use: string, baseDir: string): PluginFault {
  const fault = { code: 'TRIMTAB_PLUGIN_NOT_FOUND', file: use } as const;
  const install = `npm install ${packageNameOf(use)}.`;
  const reason = `There is no package ${packageNameOf(use)} that ${baseDir} could import.`;
  // Also from a folder above, where it is seen from when the command is typed.
  const place = ['.', '..', '../..'].find((up) => isFile(resolve(baseDir, up, use)));
  const path = `A file is named by its path from the configuration's folder: ${place ?? '.'}/${use}`;
  if (!PLUGIN_FILE.test(use))
    return { ...fault, reason, remedy: place ? `${install} ${path}` : install };
  return {
    ...fault,
    reason: 'It is read as the name of a package, and there is none.',
    remedy: path,
  };
}

/** The package is there, and has no such plugin. */
function unresolved(use: string, found: PluginPackage, target: string | undefined): PluginFault {
  const { name, version, exported } = found;
  const fault = { code: 'TRIMTAB_PLUGIN_NOT_FOUND', file: use } as const;
  if (target !== undefined) {
    const reason = `The package ${name} ${version} names ${target}, which does not exist.`;
    const remedy = `Install another version of ${name}; its author builds before publishing, and lists the folder in \`files\`.`;
    return { ...fault, reason, remedy };
  }
  const uses = exported
    .filter((key) => !key.endsWith('.json'))
    .map((key) => `${name}${key.slice(1)}`);
  const wanted = use === name ? 'entry of its own' : `.${use.slice(name.length)}`;
  const reason = `The package ${name} ${version} exports no ${wanted}.`;
  const remedy = uses.length === 0 ? 'Name another package.' : `It exports ${uses.join(', ')}.`;
  return { ...fault, reason, remedy };
}
