import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { dirname, relative, sep } from 'node:path';
import type { BotConfig } from '../../src/config/index.ts';
import { ownVersion, sha256 } from '../../src/env/index.ts';
import { filesFrom, pluginSources } from '../../src/strategy/index.ts';
import { parameterFiles } from '../parameterFiles.ts';
import { importedPackages, type ImportedPackage } from './importedPackages.ts';

/** A piece of the code that decides what a sweep computes, or a file that it reads. */
export interface SourceMark {
  /** Path relative to the plugin's or the configuration's folder, which may differ between machines. */
  name: string;
  /** SHA-256 of a file; the version of a package. */
  digest: string;
}

/** A mark with its file on this machine; a version has none. */
export interface SourceFile extends SourceMark {
  path: string | null;
  /** A file that a parameter names, which may be large; absent for code. */
  isData?: true;
}

/**
 * Trimtab's version, and every file of the configuration's plugins and dialect module that relative
 * imports reach, with the versions of the packages that these files import, and the files that parameters name.
 *
 * @param values those that a sweep gives to parameters
 * @throws if a file can't be read
 */
export function sourceFilesOf(
  config: Pick<BotConfig, 'strategies' | 'directory' | 'dialectModule' | 'link'>,
  values: readonly string[],
): SourceFile[] {
  const sources: SourceFile[] = [{ name: 'trimtab', digest: ownVersion(), path: null }];
  for (const { name, use } of config.strategies) {
    const plugin = pluginSources(use, config.directory);
    const owner = `strategy ${name}`;
    if (plugin.package !== null) {
      sources.push(packageMark(plugin.package, owner));
    }
    sources.push(...marked(plugin.files, plugin.entry, owner));
  }
  const { dialectModule } = config;
  if (dialectModule !== null) {
    sources.push(...marked(filesFrom(dialectModule), dialectModule, 'dialect_module'));
  }
  for (const path of parameterFiles(config, values)) {
    const name = `${shownFrom(config.directory, path)} (named by a parameter)`;
    sources.push({ name, digest: digestOfPath(path), path, isData: true });
  }
  return sources;
}

export const toMark = ({ name, digest }: SourceFile): SourceMark => ({ name, digest });

/** The difference, in words; null if there is none. */
export function sourceDifference(
  saved: readonly SourceMark[],
  now: readonly SourceMark[],
): string | null {
  for (const { name, digest } of saved) {
    const same = now.find((mark) => mark.name === name);
    if (same === undefined) return `${name} is no longer part of the bot`;
    if (same.digest === digest) continue;
    return isVersion(digest)
      ? `${name} had version ${digest} and has ${same.digest} now`
      : `${name} has changed`;
  }
  const added = now.find(({ name }) => !saved.some((mark) => mark.name === name));
  return added === undefined ? null : `${added.name} was not part of the bot`;
}

const isVersion = (digest: string): boolean => !/^[0-9a-f]{64}$/.test(digest);

const packageMark = ({ name, version }: ImportedPackage, owner: string): SourceFile => ({
  name: `package ${name} (${owner})`,
  digest: version,
  path: null,
});

function marked(files: readonly string[], entry: string | null, owner: string): SourceFile[] {
  const packages = importedPackages(files).map((each) => packageMark(each, owner));
  const own = files.map((path) => {
    const shown = shownFrom(dirname(entry ?? path), path);
    return { name: `${shown} (${owner})`, digest: sha256(readFileSync(path)), path };
  });
  return [...packages, ...own];
}

const shownFrom = (folder: string, path: string): string =>
  relative(folder, path).split(sep).join('/');

const PART_BYTES = 2 ** 20;

/** In parts: data may be larger than a buffer can be. */
function digestOfPath(path: string): string {
  const hash = createHash('sha256');
  const part = Buffer.alloc(PART_BYTES);
  const file = openSync(path, 'r');
  try {
    for (let length = -1; length !== 0;) {
      length = readSync(file, part);
      hash.update(part.subarray(0, length));
    }
  } finally {
    closeSync(file);
  }
  return hash.digest('hex');
}
