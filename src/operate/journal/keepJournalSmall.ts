import { DAY_MS, HOUR_MS } from '../../contract/durations.ts';
import { reasonOf, type Cancel, type Env } from '../../env/index.ts';
import type { JournalStore } from '../../journal/index.ts';

export interface KeepOptions {
  store: Pick<JournalStore, 'compact'>;
  env: Pick<Env, 'clock' | 'timers' | 'log'>;
  /** Days after which a finished intent leaves the journal (`journal.keep_days`). */
  keepDays: number;
}

const ROUND_MS = HOUR_MS;
/** Recovery comes first. */
const FIRST_MS = 5_000;
/** Few at a time, with a pause between: an append waits for one slice at most. */
const SLICE = 100;
const PAUSE_MS = 100;

/**
 * Compacts finished intents after their retention period, in the background. Their keys are retained, so
 * no decision is made twice.
 *
 * @returns stops it
 */
export function keepJournalSmall({ store, env, keepDays }: KeepOptions): Cancel {
  let isOver = false;
  let cancel: Cancel = () => {};
  const again = (delayMs: number): void => {
    if (!isOver) cancel = env.timers.after(delayMs, () => void retire());
  };

  async function retire(): Promise<void> {
    try {
      const olderThan = env.clock.wallNow() - keepDays * DAY_MS;
      const retired = await store.compact({ olderThan, limit: SLICE });
      again(retired === SLICE ? PAUSE_MS : ROUND_MS);
    } catch (error) {
      // A journal that grows too large still works; one that can't be written ends the bot at the next
      // intent.
      env.log.warn(`Old intents could not be retired: ${reasonOf(error)}`);
      again(ROUND_MS);
    }
  }

  again(FIRST_MS);
  return () => {
    isOver = true;
    cancel();
  };
}
