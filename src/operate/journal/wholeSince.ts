import { isFinal, staysWhole, type JournalReader } from '../../journal/index.ts';

/** Times at which an intent was decided, epoch milliseconds. */
export interface WholeSince {
  wall: number;
  market: number;
}

/**
 * Since when a journal has every intent. Finished ones leave it by the time of their last step (`journal.keep_days`):
 * no remaining one's is before the cut, so that what was decided after the earliest of these times is whole.
 * Infinite if none remains.
 *
 * @returns undefined if none has left it
 */
export async function wholeSince(
  reader: Pick<JournalReader, 'hasRetired' | 'lives'>,
): Promise<WholeSince | undefined> {
  if (!(await reader.hasRetired())) return undefined;
  let cut = Infinity;
  for await (const { intent } of reader.lives()) {
    const { state, opened, updated, marketOpened } = intent;
    // One that stays for good says nothing of the others of its time.
    if (staysWhole(intent)) continue;
    if (isFinal(state)) cut = Math.min(cut, updated);
    // Those that follow were decided later still.
    if (opened >= cut) return { wall: cut, market: marketOpened ?? opened };
  }
  return { wall: cut, market: Infinity };
}
