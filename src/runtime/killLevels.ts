import type { JournalStore } from '../journal/index.ts';

/**
 * Kill levels, each with all that the ones below it do: L0 normal · L1 no new exposure · L2 own
 * entries stopped and cancelled, protection kept · L3 flat, by reduce-only orders · L4 the wire is
 * cut. They are latched: only a person re-arms.
 */
export const KILL_LEVELS = ['L0', 'L1', 'L2', 'L3', 'L4'] as const;
export type KillLevel = (typeof KILL_LEVELS)[number];

export interface KillLatch {
  level: KillLevel;
  reason: string;
  /** Wall time, epoch milliseconds. */
  time: number;
}

export const rankOf = (level: KillLevel): number => KILL_LEVELS.indexOf(level);

/** Stands in the journal beside the strategies' states; no instance may have this name. */
const NAME = 'trimtab:kill';

/** The latch of the last process, or undefined where nobody ever threw one. */
export function readLatch(store: JournalStore): KillLatch | undefined {
  const text = store.readState(NAME);
  return text === undefined ? undefined : (JSON.parse(text) as KillLatch);
}

/** Durable when it resolves: a level that a crash could undo would be none. */
export async function writeLatch(store: JournalStore, latch: KillLatch): Promise<void> {
  await store.writeState(NAME, JSON.stringify(latch));
}
