import { reasonOf, type Cancel, type Env } from '../../env/index.ts';
import type { JournalStore } from '../../journal/index.ts';

export interface CheckpointOptions {
  store: Pick<JournalStore, 'checkpoint'>;
  env: Pick<Env, 'timers' | 'log'>;
}

/** Twice within the minute that a journal's file may be behind its log. */
const CHECKPOINT_MS = 30_000;

/**
 * Brings a journal's log into its file now and then, whatever the bot does: who copies the file alone
 * lacks a minute at most, and a start reads a short log.
 *
 * @returns ends it
 */
export function checkpointJournal({ store, env }: CheckpointOptions): Cancel {
  let cancel: Cancel = () => {};
  let unmade: string | undefined;
  const checkpoint = (): void => {
    try {
      store.checkpoint?.();
      unmade = undefined;
    } catch (error) {
      // The log has it; a disk that takes no more ends the bot at its next append.
      const reason = reasonOf(error);
      if (reason !== unmade) env.log.warn(`The journal's file is behind its log: ${reason}`);
      unmade = reason;
    }
    cancel = env.timers.after(CHECKPOINT_MS, checkpoint);
  };
  if (store.checkpoint !== undefined) cancel = env.timers.after(CHECKPOINT_MS, checkpoint);
  return () => cancel();
}
