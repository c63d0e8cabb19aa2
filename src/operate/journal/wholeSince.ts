import { isFinal, type JournalReader } from '../../journal/index.ts';

/** Times at which an intent was decided, epoch milliseconds. */
export interface WholeSince {
  wall: number;
  market: number;
}

/**
 * Since when a journal has every intent: finished ones leave it oldest first (`journal.keep_days`), so that the first
 * one that remains tells. Infinite if none remains.
 *
 * @returns undefined if none has left it
 */
export async function wholeSince(
  reader: Pick<JournalReader, 'retired' | 'lives'>,
): Promise<WholeSince | undefined> {
  if ((await reader.retired()) === 0) return undefined;
  for await (const { intent } of reader.lives()) {
    const { state, opened, marketOpened } = intent;
    if (isFinal(state)) return { wall: opened, market: marketOpened ?? opened };
  }
  return { wall: Infinity, market: Infinity };
}
