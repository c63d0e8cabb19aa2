import type { BotConfig } from '../../config/index.ts';
import type { Env } from '../../env/index.ts';
import { isPaused, latchPause } from '../../runtime/index.ts';
import { openJournalStore } from '../journal/openJournalStore.ts';
import type { StrategyCommand } from './controlFiles.ts';

/**
 * Pauses or resumes a strategy of a bot that does not run, as its journal's one writer: it holds from the next start.
 *
 * @returns false for a resume of what was not paused, which changes nothing
 * @throws JournalFault `in_use` where a bot runs, here or on another host; any other fault of the journal
 */
export async function pauseStopped({
  config,
  env,
  asked,
}: {
  config: BotConfig;
  env: Pick<Env, 'clock' | 'timers' | 'log'>;
  asked: Omit<StrategyCommand, 'time' | 'do' | 'move' | 'hand_over'> & { do: 'pause' | 'resume' };
}): Promise<boolean> {
  const store = await openJournalStore({ config, env, startsOver: false, onLost: () => {} });
  const { instance, reason } = asked;
  const value = asked.do === 'pause' ? 'on' : 'off';
  try {
    if (value === 'off' && !isPaused(store, instance)) return false;
    await latchPause(store, { instance, value, reason, time: env.clock.wallNow() });
    return true;
  } finally {
    await store.close();
  }
}
