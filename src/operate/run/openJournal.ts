import { reasonOf } from '../../env/index.ts';
import { JournalFault, type JournalStore } from '../../journal/index.ts';
import { openJournalStore, type OpenJournalOptions } from '../journal/openJournalStore.ts';
import { failed, type RunResult } from './RunFailure.ts';

/** Opens a run's journal; what is wrong with it is the run's failure, in words for a person. */
export async function openJournal(options: OpenJournalOptions): Promise<RunResult<JournalStore>> {
  try {
    return { ok: true, value: await openJournalStore(options) };
  } catch (error) {
    if (error instanceof JournalFault) return failed(error.message);
    const { path } = options.config.journal;
    return failed(`The journal ${path} can't be opened: ${reasonOf(error)}`);
  }
}
