import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { JournalSettings } from '../../config/index.ts';
import { reasonOf } from '../../env/index.ts';
import { createMemoryStore, createSqliteStore, type JournalStore } from '../../journal/index.ts';
import { failed, type RunResult } from './RunFailure.ts';

/**
 * Opens the journal. An embedded paper service starts over with each run, and a journal that did not
 * would take every decision for one that was made already: it is set aside as `….previous`.
 */
export function openJournal(
  settings: JournalSettings,
  { startsOver }: { startsOver: boolean },
): RunResult<JournalStore> {
  if (settings.path === 'memory') return { ok: true, value: createMemoryStore() };
  try {
    mkdirSync(dirname(settings.path), { recursive: true });
    // Opened first: a journal that another process writes must not be moved from under it.
    if (startsOver && existsSync(settings.path)) {
      void createSqliteStore(settings.path, settings.durability).close();
      setAside(settings.path);
    }
    return { ok: true, value: createSqliteStore(settings.path, settings.durability) };
  } catch (error) {
    const reason = reasonOf(error);
    return failed(`The journal ${settings.path} can't be opened: ${reason}`);
  }
}

function setAside(path: string): void {
  for (const ending of ['-wal', '-shm']) rmSync(`${path}${ending}`, { force: true });
  renameSync(path, `${path}.previous`);
}
