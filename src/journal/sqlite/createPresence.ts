import { statSync } from 'node:fs';
import { JournalFault } from '../JournalFault.ts';

/** Whether the files that a journal's writer holds open are still those at their paths. */
export interface Presence {
  /** @throws JournalFault `gone` if one was removed, moved, replaced or cut */
  require(): void;
  isWhole(): boolean;
}

interface Seen {
  inode: number;
  device: number;
  size: number;
}

/** The log and the lock are made with the first write, and stay as long as the writer does. */
const PARTS = ['', '-wal', '.lock'];

/**
 * A file that is removed or moved stays open, so that SQLite goes on writing to what the next start does not find;
 * without its lock's file, a second writer is not refused.
 */
export function createPresence(path: string): Presence {
  const seen = new Map<string, Seen>();

  /** What is not as it was, as a sentence; undefined for nothing. */
  function difference(): string | undefined {
    for (const part of PARTS) {
      const file = path + part;
      const now = statSync(file, { throwIfNoEntry: false });
      const before = seen.get(part);
      if (now === undefined) {
        if (before !== undefined) return `${file} is no longer there`;
        continue;
      }
      if (before !== undefined && (now.ino !== before.inode || now.dev !== before.device))
        return `${file} is another file now`;
      // Only the database itself never shrinks.
      if (before !== undefined && part === '' && now.size < before.size)
        return `${file} was cut from ${before.size} to ${now.size} bytes`;
      seen.set(part, { inode: now.ino, device: now.dev, size: now.size });
    }
    return undefined;
  }

  return {
    require() {
      const what = difference();
      if (what === undefined) return;
      throw new JournalFault(
        'gone',
        `The journal ${path} was taken away from the process that writes it: ${what}.\n` +
          '  Nothing more is sent. Put its files back where they were, if there still are any, and start again: what\n' +
          '  runs on the service is found there and taken over.',
      );
    },
    isWhole: () => difference() === undefined,
  };
}

/** Of a journal in memory. */
export const alwaysPresent: Presence = { require: () => {}, isWhole: () => true };
