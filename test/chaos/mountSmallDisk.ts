import { execFileSync } from 'node:child_process';
import { closeSync, fsyncSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  path: string;
  /** Fills the remaining space. */
  fill(): void;
  free(): void;
  setReadOnly(isReadOnly: boolean): void;
  unmount(): void;
}

/** Mounts a file system of a few pages, or returns why it can't. */
export function mountSmallDisk(sizeKb: number): SmallDisk | { reason: string } {
  if (process.platform !== 'linux') return { reason: 'a small tmpfs needs Linux' };
  const path = mkdtempSync(join(tmpdir(), 'trimtab-disk-'));
  const failure = asRoot(['mount', '-t', 'tmpfs', '-o', `size=${sizeKb}k`, 'trimtab', path]);
  if (failure !== undefined) {
    rmdirSync(path);
    return { reason: `a small tmpfs needs the right to mount (${failure})` };
  }
  const ballast = join(path, 'ballast');
  return {
    path,
    fill() {
      const file = openSync(ballast, 'a');
      try {
        for (const size of [4_096, 1]) writeUntilFull(file, Buffer.alloc(size));
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(ballast, { force: true }),
    setReadOnly(isReadOnly) {
      const failed = asRoot(['mount', '-o', `remount,${isReadOnly ? 'ro' : 'rw'}`, path]);
      if (failed !== undefined) throw new Error(failed);
    },
    unmount() {
      asRoot(['umount', '-l', path]);
      rmdirSync(path);
    },
  };
}

function writeUntilFull(file: number, bytes: Buffer): void {
  try {
    for (;;) writeSync(file, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

/** @returns why it failed, or undefined */
function asRoot(command: readonly string[]): string | undefined {
  const [file, ...args] = process.getuid?.() === 0 ? command : ['sudo', '-n', ...command];
  try {
    execFileSync(file!, args, { stdio: 'pipe' });
    return undefined;
  } catch (error) {
    return (error as Error).message.split('\n')[0];
  }
}
