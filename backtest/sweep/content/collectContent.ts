import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { BotConfig } from '../../../src/config/index.ts';
import { sha256 } from '../../../src/env/index.ts';
import { tapeFiles } from '../../parameterFiles.ts';
import { sourceFilesOf } from '../SourceMark.ts';
import { valuesOf, type SweepPlan } from '../SweepPlan.ts';
import { MOST_CODE_BYTES, packFolder } from './packFolder.ts';
import type { ObjectSource, SweepFiles, SweepObject } from './SweepContent.ts';

/** Packages that a worker has itself. */
export const OWN_PACKAGES: readonly string[] = ['trimtab', 'rxjs', 'zod'];
export const [MANIFEST, LOCK] = ['package.json', 'package-lock.json'];

export interface Collected {
  files: SweepFiles;
  /** The objects on this machine, by digest. */
  sources: ReadonlyMap<string, ObjectSource>;
}

/**
 * Everything that a worker needs for a sweep, by content: the configuration, plugins and dialect with the
 * files that they import, the lock file of their packages, the feeds' files and those that parameters name.
 *
 * @throws if a file can't be read, or can't be found from elsewhere
 */
export async function collectContent(plan: SweepPlan, config: BotConfig): Promise<Collected> {
  const sources = sourceFilesOf(config, valuesOf(plan));
  const filesOf = (ofData: boolean): string[] =>
    sources.flatMap(({ path, isData = false }) => (isData === ofData ? (path ?? []) : []));
  const code = [plan.config, ...filesOf(false)];
  const data = [...tapeFiles(config.link), ...filesOf(true)];
  const packages = packagesFolder(
    sources.map(({ name }) => name),
    dirname(plan.config),
  );
  if (packages !== null) code.push(join(packages, MANIFEST), join(packages, LOCK));
  const root = commonFolder([...code, ...data]);
  await requireRelative(plan, [...code, ...data]);
  const inRoot = (path: string): string => relative(root, path).split(sep).join('/');
  const packed = await packFolder(root, [...new Set(code)].map(inRoot));
  if (packed.length > MOST_CODE_BYTES) {
    throw new Error(
      `The sweep's code has ${packed.length} bytes packed, and ${MOST_CODE_BYTES} is the most.`,
    );
  }
  const pack: SweepObject = { path: '.', digest: sha256(packed), bytes: packed.length };
  const found = new Map<string, ObjectSource>([[pack.digest, { bytes: packed }]]);
  const feeds: SweepObject[] = [];
  for (const path of new Set(data)) {
    const digest = await digestOfFile(path);
    feeds.push({ path: inRoot(path), digest, bytes: (await stat(path)).size });
    found.set(digest, { path });
  }
  const files: SweepFiles = {
    code: pack,
    feeds,
    config: inRoot(plan.config),
    flags: plan.feeds.map((text) => {
      const at = text.indexOf('=') + 1;
      return text.slice(0, at) + inRoot(resolve(text.slice(at)));
    }),
    packages: packages === null ? null : inRoot(packages),
  };
  return { files, sources: found };
}

/** The nearest folder above with a manifest, if a plugin imports more than workers have. */
function packagesFolder(marks: readonly string[], from: string): string | null {
  const named = marks.flatMap((mark) => /^package (\S+) /.exec(mark)?.[1] ?? []);
  const strange = named.find((name) => !OWN_PACKAGES.includes(name));
  if (strange === undefined) return null;
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, MANIFEST)) && existsSync(join(folder, LOCK))) return folder;
    if (folder !== dirname(folder)) continue;
    throw new Error(
      `A plugin imports the package ${strange}, and no ${LOCK} beside or above ${from} names its version.\n` +
        '  Run npm install --package-lock-only there.',
    );
  }
}

/** A worker has the files elsewhere: a path from the root of this machine would not be found there. */
async function requireRelative(plan: SweepPlan, files: readonly string[]): Promise<void> {
  const { config } = plan;
  const text = await readFile(config, 'utf8');
  const values = valuesOf(plan);
  const inText = files.find((path) => path !== config && text.includes(path));
  const named = inText ?? files.find((path) => values.includes(path));
  if (named === undefined) return;
  throw new Error(
    `${inText === undefined ? 'The sweep' : config} names ${named} by its absolute path, which a worker does not have.\n` +
      `  Write it relative to the file: ./${relative(dirname(config), named).split(sep).join('/')}.`,
  );
}

function commonFolder(paths: readonly string[]): string {
  const [first = '', ...others] = paths.map((path) => dirname(path));
  let folder = first;
  for (const other of others) {
    while (relative(folder, other).startsWith('..')) folder = dirname(folder);
  }
  return folder;
}

/** SHA-256 of a file, in hex. */
export async function digestOfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
