import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { reasonOf, type Clock } from '../env/index.ts';

export interface LogFileOptions {
  path: string;
  /** A line that would make the file larger begins a new one; a single longer line has its file alone. */
  maxBytes: number;
  /** A file that began longer ago is ended by the next line, milliseconds; absent: by size alone. */
  maxAgeMs?: number | undefined;
  /** How many ended files remain: FILE.1 is the newest. */
  keep: number;
  clock: Pick<Clock, 'wallNow'>;
  /** Lines can't be written, for this reason; once, until one can be again. */
  onLost(reason: string): void;
  /** The file is full and can't be ended, for this reason: it grows on; once, until one is ended. */
  onOversized(reason: string): void;
  /** Lines are written again; this many were lost. */
  onBack(lost: number): void;
}

/** How long a full file that could not be ended grows before that is tried again. */
const RETRY_MS = 60_000;

/** A log's file, which does not grow beyond its limits as long as it can be ended. */
export interface LogFile {
  /** Writes whole lines, at once and in order; never throws: a bot does not stop for a log line. */
  write(line: string): void;
  /** Goes on in a new file at the path, after something else has moved the present one (SIGHUP). */
  reopen(): void;
  close(): void;
}

/** The files of a log, oldest first; those that do not exist are left out by who reads them. */
export const logFilesOf = (path: string, keep: number): string[] => [
  ...Array.from({ length: keep }, (_, at) => `${path}.${keep - at}`),
  path,
];

/**
 * Each line is one synchronous write, so that none is torn or lost when the process is killed; a line that the disk
 * took in part is taken back.
 */
export function createLogFile(options: LogFileOptions): LogFile {
  const { path, maxBytes, maxAgeMs = Number.POSITIVE_INFINITY, keep, clock } = options;
  let file: { fd: number; size: number; since: number; isRegular: boolean } | undefined;
  let lost = 0;
  /** Wall time at which a full file could not be ended. */
  let failedAt: number | undefined;

  function open(): NonNullable<typeof file> {
    const fd = openSync(path, 'a', 0o600);
    const found = fstatSync(fd);
    const since = found.size === 0 ? clock.wallNow() : found.birthtimeMs || found.mtimeMs;
    return { fd, size: found.size, since, isRegular: found.isFile() };
  }

  function close(): void {
    const { fd } = file ?? {};
    file = undefined;
    if (fd !== undefined) closeSync(fd);
  }

  function rotate(): void {
    close();
    const names = logFilesOf(path, keep);
    rmSync(names[0]!, { force: true });
    for (let at = 1; at < names.length; at++) renameIfThere(names[at]!, names[at - 1]!);
  }

  /** A line beyond the limits is worth more than none: who may not rename may still append. */
  function tryToRotate(): void {
    const now = clock.wallNow();
    if (failedAt !== undefined && Math.abs(now - failedAt) < RETRY_MS) return;
    try {
      rotate();
      failedAt = undefined;
    } catch (error) {
      if (failedAt === undefined) options.onOversized(reasonOf(error));
      failedAt = now;
    }
  }

  /** A device or a pipe has neither size nor age. */
  function isFull({ size, since, isRegular }: NonNullable<typeof file>, bytes: number): boolean {
    if (!isRegular || size === 0) return false;
    return size + bytes > maxBytes || clock.wallNow() - since >= maxAgeMs;
  }

  function append(bytes: Buffer): void {
    file ??= open();
    if (isFull(file, bytes.length)) tryToRotate();
    file ??= open();
    const { fd, size } = file;
    let at = 0;
    try {
      while (at < bytes.length) at += writeSync(fd, bytes, at);
    } catch (error) {
      if (at > 0 && file.isRegular) ftruncateSync(fd, size);
      throw error;
    }
    file.size += bytes.length;
  }

  return {
    write(line) {
      try {
        append(Buffer.from(line));
      } catch (error) {
        lost += 1;
        if (lost === 1) options.onLost(reasonOf(error));
        return;
      }
      if (lost === 0) return;
      const count = lost;
      lost = 0;
      options.onBack(count);
    },
    reopen() {
      try {
        close();
      } catch {
        // The next line opens it again, and reports what keeps it from that.
      }
    },
    close,
  };
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
