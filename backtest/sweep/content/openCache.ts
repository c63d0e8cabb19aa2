import { existsSync } from 'node:fs';
import {
  copyFile,
  link,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sha256, type Env } from '../../../src/env/index.ts';
import { FinalRefusal } from '../FinalRefusal.ts';
import { digestOfFile } from './collectContent.ts';
import { fetchObject } from './fetchObject.ts';
import { installPackages } from './installPackages.ts';
import { isWhole } from './isWhole.ts';
import { requireInside, unpackFolder } from './packFolder.ts';
import { partOf } from './partOf.ts';
import type { SweepContent, SweepObject } from './SweepContent.ts';

/** What was used within this time may be in use by another worker. */
const IN_USE_MS = 3_600_000;
/** How often a worker says that it uses a folder. */
const TOUCH_MS = 600_000;

/** Code and data of sweeps on a worker's disk. */
export interface SweepCache {
  /**
   * Fetches what is missing, checks it, and puts it together; a folder that is no longer whole is made anew.
   *
   * @returns the folder with everything at its place
   * @throws if something can't be fetched, is not what the plan names, or has no room
   */
  prepare(content: SweepContent): Promise<string>;
  /** Says that a folder is in use, at most every ten minutes. */
  touch(folder: string): Promise<void>;
}

interface Entry {
  path: string;
  bytes: number;
  usedMs: number;
}

/** @param limitBytes what it may hold; what was not used for the longest time leaves it first */
export function openCache(
  home: string,
  limitBytes: number,
  env: Pick<Env, 'clock' | 'timers'>,
): SweepCache {
  const [objects, folders] = [join(home, 'objects'), join(home, 'folders')];
  const touched = new Map<string, number>();

  /** What a removal frees is counted anew: a feed stays on the disk while a folder has it, too. */
  const evict = async (needed: number): Promise<void> => {
    for (;;) {
      const entries = [...(await entriesOf(objects)), ...(await entriesOf(folders))];
      const held = entries.reduce((sum, { bytes }) => sum + bytes, 0);
      if (held + needed <= limitBytes) return;
      const [oldest] = entries.toSorted((a, b) => a.usedMs - b.usedMs);
      if (oldest === undefined || env.clock.wallNow() - oldest.usedMs < IN_USE_MS)
        throw new Error(
          `The cache ${home} has no room for ${needed} bytes: ${held} of ${limitBytes} are in use.\n` +
            '  Start the worker with a larger --cache-limit.',
        );
      await rm(oldest.path, { recursive: true, force: true });
    }
  };
  const have = async (object: SweepObject, { urls, token }: SweepContent): Promise<string> => {
    if (!/^[0-9a-f]{64}$/.test(object.digest))
      throw new FinalRefusal('The plan names an object by no SHA-256.');
    const target = join(objects, object.digest);
    if (existsSync(target)) {
      // A disk may have changed what was right once.
      if ((await digestOfFile(target)) === object.digest) {
        await use(target);
        return target;
      }
      await rm(target, { force: true });
    }
    const url = urls[object.digest];
    if (url === undefined) throw new FinalRefusal(`The plan has no address for ${object.path}.`);
    await evict(object.bytes);
    await fetchObject(object, { url, token, target, env });
    return target;
  };
  const use = async (path: string): Promise<void> => {
    const seconds = env.clock.wallNow() / 1_000;
    await utimes(path, seconds, seconds).catch(() => {});
  };

  return {
    async prepare(content) {
      await mkdir(objects, { recursive: true });
      await mkdir(folders, { recursive: true });
      const { urls: _urls, token: _token, ...files } = content;
      const name = sha256(JSON.stringify(files));
      const folder = join(folders, name);
      const packed = await readFile(await have(content.code, content));
      if (existsSync(folder)) {
        if (await isWhole(folder, content, packed)) {
          await use(folder);
          return folder;
        }
        await discard(folder);
      }
      const part = partOf(folder);
      try {
        await unpackFolder(packed, part);
        for (const feed of content.feeds) {
          const target = join(part, requireInside(feed.path));
          await mkdir(dirname(target), { recursive: true });
          await placeFile(await have(feed, content), target);
        }
        const { packages } = content;
        await installPackages(
          part,
          packages === '' || packages === null ? packages : requireInside(packages),
        );
        // Another worker of this machine may have been faster.
        await rename(part, folder).catch((error: unknown) => {
          if (!existsSync(folder)) throw error;
        });
      } finally {
        await rm(part, { recursive: true, force: true });
      }
      return folder;
    },
    async touch(folder) {
      const now = env.clock.monotonicNow();
      if (now - (touched.get(folder) ?? now - TOUCH_MS) < TOUCH_MS) return;
      touched.set(folder, now);
      await use(folder);
    },
  };
}

/** Out of the way at once: another worker of this machine may make it anew meanwhile. */
async function discard(folder: string): Promise<void> {
  const part = partOf(folder);
  const isMoved = await ifThere(rename(folder, part).then(() => true));
  if (isMoved !== null) await rm(part, { recursive: true, force: true });
}

/** A second name of the same bytes, or a copy on another disk. */
async function placeFile(from: string, to: string): Promise<void> {
  await link(from, to).catch(() => copyFile(from, to));
}

async function entriesOf(folder: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const name of (await ifThere(readdir(folder))) ?? []) {
    const path = join(folder, name);
    const about = await ifThere(stat(path));
    if (about === null) continue;
    const bytes = about.isDirectory() ? await bytesIn(path) : about.size;
    entries.push({ path, bytes, usedMs: about.mtimeMs });
  }
  return entries;
}

/** Bytes that would be free without a folder: what has another name as well is counted there. */
async function bytesIn(folder: string): Promise<number> {
  let sum = 0;
  const found = await ifThere(readdir(folder, { withFileTypes: true, recursive: true }));
  for (const each of found ?? []) {
    if (!each.isFile()) continue;
    const file = await ifThere(stat(join(each.parentPath, each.name)));
    if (file !== null && file.nlink === 1) sum += file.size;
  }
  return sum;
}

/** Null for what is not there any more: another worker of this machine renames and removes, too. */
const ifThere = <T>(asked: Promise<T>): Promise<T | null> =>
  asked.catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  });
