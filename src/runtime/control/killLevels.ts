import { z } from 'zod';
import { JournalFault, type JournalStore } from '../../journal/index.ts';

/**
 * Kill levels, each including all that the ones below it do: L0 normal · L1 no new exposure · L2 the bot's
 * entries stopped and cancelled, protection left in place · L3 flat, by reduce-only orders · L4 the wire is
 * cut. They are latched: only an operator re-arms.
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

/** The level in force, for the parts that may not send at one. */
export interface StandingLevel {
  level(): KillLevel;
  set(level: KillLevel): void;
}

export function createStandingLevel(): StandingLevel {
  let standing: KillLevel = 'L0';
  return {
    level: () => standing,
    set(level) {
      standing = level;
    },
  };
}

const NAME = 'kill';
/** Where earlier versions stored it, beside the strategies' states; no instance may have this name. */
const FORMER_NAME = 'trimtab:kill';

const formerLatch = z.object({ level: z.enum(KILL_LEVELS), reason: z.string(), time: z.number() });

/**
 * The latch of the last process, or undefined if there never was one.
 *
 * @param journal its name, for the message
 * @throws JournalFault if it holds no known level: ignoring it would let a bot trade that an operator has
 *   stopped
 */
export function readLatch(store: JournalStore, journal = 'the journal'): KillLatch | undefined {
  const persisted = store.latch(NAME);
  if (persisted !== undefined) {
    const level = KILL_LEVELS.find((known) => known === persisted.value);
    if (level === undefined) throw unreadable(`the latch ${NAME} of ${journal}`, persisted.value);
    return { level, reason: persisted.reason, time: persisted.time };
  }
  const former = store.readState(FORMER_NAME);
  if (former === undefined) return undefined;
  const read = formerLatch.safeParse(parse(former));
  if (!read.success) throw unreadable(`the state ${FORMER_NAME} of ${journal}`, former);
  return read.data;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const MOST_SHOWN = 100;

function unreadable(place: string, found: string): JournalFault {
  return new JournalFault(
    'damaged',
    `The kill level can't be read back: ${place} holds ${JSON.stringify(found.slice(0, MOST_SHOWN))}, ` +
      `which is none of ${KILL_LEVELS.join(', ')}.\n` +
      '  Nothing is sent while the kill level is unknown. If another version of Trimtab wrote it, start\n' +
      '  that version, or re-arm with it. Otherwise check what is open on the service, move the journal\n' +
      '  away (a SQLite file with its -wal and -shm) and start again: the bot finds there what runs.',
  );
}

/** Durable when it resolves: a level that a crash could undo would be useless. */
export async function writeLatch(store: JournalStore, latch: KillLatch): Promise<void> {
  const { level, reason, time } = latch;
  await store.setLatch(NAME, { value: level, reason, time });
}
