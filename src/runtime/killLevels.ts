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

const NAME = 'kill';
/** Where earlier versions kept it, beside the strategies' states; no instance may have this name. */
const FORMER_NAME = 'trimtab:kill';

/** The latch of the last process, or undefined where nobody ever threw one. */
export function readLatch(store: JournalStore): KillLatch | undefined {
  const kept = store.latch(NAME);
  const level = KILL_LEVELS.find((known) => known === kept?.value);
  if (kept !== undefined && level !== undefined) {
    return { level, reason: kept.reason, time: kept.time };
  }
  const former = store.readState(FORMER_NAME);
  return former === undefined ? undefined : (JSON.parse(former) as KillLatch);
}

/** Durable when it resolves: a level that a crash could undo would be none. */
export async function writeLatch(store: JournalStore, latch: KillLatch): Promise<void> {
  const { level, reason, time } = latch;
  await store.setLatch(NAME, { value: level, reason, time });
}
