import { statSync, watch, type FSWatcher } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Cancel, Timers } from '../../src/env/index.ts';
import type { WatchedFile } from './DevMessage.ts';

/** An editor writes a file in several steps. */
const SETTLED_MS = 30;

export interface FileWatch {
  /** Also watches a file from now on. One that has changed since it was read counts as changed. */
  add(file: WatchedFile): void;
  close(): void;
}

/**
 * Watches files by their folders: many editors save by writing another file and renaming it, after which a watch of the
 * file itself would follow the old one.
 *
 * @param onChange once for all changes within {@link SETTLED_MS} of each other
 */
export function watchFiles(timers: Timers, onChange: (files: string[]) => void): FileWatch {
  const folders = new Map<string, { watcher: FSWatcher; names: Set<string> }>();
  const changed = new Set<string>();
  let settle: Cancel | undefined;

  function note(file: string): void {
    changed.add(file);
    settle?.();
    settle = timers.after(SETTLED_MS, () => {
      const files = [...changed];
      changed.clear();
      onChange(files);
    });
  }

  function open(folder: string): void {
    const names = new Set<string>();
    const watcher = watch(folder, (_event, name) => {
      if (name !== null && names.has(name)) note(join(folder, name));
    });
    // A folder that was removed: its files are reported as missing by the next run.
    watcher.on('error', () => {
      watcher.close();
      folders.delete(folder);
    });
    folders.set(folder, { watcher, names });
  }

  function add({ path, mtimeMs }: WatchedFile): void {
    const file = resolve(path);
    const folder = dirname(file);
    if (folders.get(folder)?.names.has(basename(file))) return;
    try {
      if (!folders.has(folder)) open(folder);
    } catch {
      // The folder is missing; the fault of the run names the file.
      return;
    }
    folders.get(folder)?.names.add(basename(file));
    if (statSync(file, { throwIfNoEntry: false })?.mtimeMs !== mtimeMs) note(file);
  }

  return {
    add,
    close() {
      settle?.();
      for (const { watcher } of folders.values()) watcher.close();
      folders.clear();
    },
  };
}
