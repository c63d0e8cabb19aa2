import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { JournalSettings } from '../../config/index.ts';
import { reasonOf } from '../../env/index.ts';
import { createMemoryStore, createSqliteStore, type JournalStore } from '../../journal/index.ts';
import { failed, type RunResult } from './RunFailure.ts';

const MADE_BY = 'made_by';
const REPLAY = 'replay';
const SERVICE = 'service';

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
      const former = createSqliteStore(settings.path, settings.durability);
      const madeBy = former.meta(MADE_BY);
      void former.close();
      if (madeBy === SERVICE) return failed(ofService(settings.path));
      setAside(settings.path);
    }
    const store = createSqliteStore(settings.path, settings.durability);
    void store.setMeta(MADE_BY, startsOver ? REPLAY : SERVICE);
    return { ok: true, value: store };
  } catch (error) {
    const reason = reasonOf(error);
    return failed(`The journal ${settings.path} can't be opened: ${reason}`);
  }
}

/** A record of what was sent to a service must not be lost to a rehearsal. */
function ofService(path: string): string {
  return (
    `The journal ${path} is that of a bot on a service, and a run on embedded paper starts over.\n` +
    '  Give this run a journal of its own: --journal FILE, or --journal memory.'
  );
}

function setAside(path: string): void {
  for (const ending of ['-wal', '-shm']) rmSync(`${path}${ending}`, { force: true });
  renameSync(path, `${path}.previous`);
}
