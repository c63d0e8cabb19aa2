import { reasonOf } from '../../env/index.ts';
import { journalFailureCode, JournalFault, type JournalStore } from '../../journal/index.ts';
import { readLatch } from '../../runtime/index.ts';
import { openJournalStore, type OpenJournalOptions } from '../journal/openJournalStore.ts';
import { failed, type RunResult } from './RunFailure.ts';

/** Opens a run's journal; a fault becomes the run's failure, with a readable message. */
export async function openJournal(options: OpenJournalOptions): Promise<RunResult<JournalStore>> {
  const { path } = options.config.journal;
  try {
    const store = await openJournalStore(options);
    try {
      readLatch(store, path);
    } catch (error) {
      await store.close();
      throw error;
    }
    return { ok: true, value: store };
  } catch (error) {
    if (error instanceof JournalFault) return failed(journalFailureCode(error.code), error.message);
    return failed(
      'TRIMTAB_JOURNAL_UNOPENED',
      `The journal ${path} can't be opened: ${reasonOf(error)}`,
    );
  }
}
