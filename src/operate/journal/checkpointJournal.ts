import { reasonOf, type Cancel, type Env } from '../../env/index.ts';
import type { JournalStore } from '../../journal/index.ts';

export interface CheckpointOptions {
  store: Pick<JournalStore, 'checkpoint'>;
  env: Pick<Env, 'timers' | 'log'>;
}

/** Twice within the minute by which a journal's file may lag behind its log. */
const CHECKPOINT_MS = 30_000;

/**
 * Checkpoints a journal's log into its file regularly, independent of the bot's activity: a copy of the
 * file alone lacks a minute at most, and a start reads a short log.
 *
 * @returns stops it
 */
export function checkpointJournal({ store, env }: CheckpointOptions): Cancel {
  let cancel: Cancel = () => {};
  let unmade: string | undefined;
  const checkpoint = (): void => {
    try {
      store.checkpoint?.();
      unmade = undefined;
    } catch (error) {
      // The log still has the data; a full disk ends the bot at its next append.
      const reason = reasonOf(error);
      if (reason !== unmade) env.log.warn(`The journal could not be checkpointed: ${reason}`);
      unmade = reason;
    }
    cancel = env.timers.after(CHECKPOINT_MS, checkpoint);
  };
  if (store.checkpoint !== undefined) cancel = env.timers.after(CHECKPOINT_MS, checkpoint);
  return () => cancel();
}
