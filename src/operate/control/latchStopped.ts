import type { BotConfig } from '../../config/index.ts';
import type { Env } from '../../env/index.ts';
import {
  rankOf,
  readLatch,
  releaseThrottles,
  writeLatch,
  type KillLevel,
} from '../../runtime/index.ts';
import { openJournalStore } from '../journal/openJournalStore.ts';
import {
  nextCommandTime,
  pendingCommand,
  pulse,
  readWhole,
  writeWhole,
  type ControlFiles,
} from './controlFiles.ts';

export interface LatchStoppedOptions {
  config: BotConfig;
  env: Pick<Env, 'clock' | 'timers' | 'log'>;
  files: ControlFiles;
  level: KillLevel;
  reason: string;
  /** The time of the caller's own command, which waits for the start if the bot ended before it. */
  own?: number | undefined;
}

/** The level that a stopped bot had, and the one with which it starts next. */
export interface Latched {
  before: KillLevel;
  level: KillLevel;
  /** Strategies that L0 lets enter again, though they had entered too often. */
  released: readonly string[];
}

/**
 * Sets the kill level of a bot that does not run, as its journal's one writer: a higher level is latched
 * for the next start, and L0 removes the latch, any command that waits for the start, and what a throttle latched.
 *
 * @throws JournalFault `in_use` where a bot runs, here or on another host; any other fault of the journal
 */
export async function latchStopped(options: LatchStoppedOptions): Promise<Latched> {
  const { config, env, level, reason } = options;
  const store = await openJournalStore({ config, env, startsOver: false, onLost: () => {} });
  try {
    const latched = readLatch(store, config.journal.path)?.level ?? 'L0';
    const before = highest(latched, waitingLevel(options));
    if (level !== 'L0' && rankOf(level) <= rankOf(before))
      return { before, level: before, released: [] };
    const time = env.clock.wallNow();
    await writeLatch(store, { level, reason, time });
    // The latch first: a process that dies in between leaves the stricter state.
    noteLevel(options);
    const instances = config.strategies.map(({ name }) => name);
    const released =
      level === 'L0' ? await releaseThrottles(store, { instances, reason, time }) : [];
    return { before, level, released };
  } finally {
    await store.close();
  }
}

const highest = (one: KillLevel, other: KillLevel): KillLevel =>
  rankOf(one) >= rankOf(other) ? one : other;

/** The pending command of the watchdog or an operator for the next start. */
function waitingLevel({ files, own }: LatchStoppedOptions): KillLevel {
  const waiting = pendingCommand(files);
  return waiting === undefined || waiting.time === own ? 'L0' : waiting.level;
}

/** L0 drops the pending command; below a higher level it stays. */
function noteLevel({ env, files, level, reason }: LatchStoppedOptions): void {
  const last = readWhole(files.pulse, pulse);
  let carriedOut = last?.obeyed ?? 0;
  if (level === 'L0') {
    const time = nextCommandTime(files, env.clock.wallNow());
    writeWhole(files.command, { level, reason, time });
    // It counts as carried out: a watchdog that tripped does not send its level again.
    carriedOut = time;
  }
  if (last === undefined) return;
  const { failed: _failed, ...rest } = last;
  writeWhole(files.pulse, { ...rest, level, reasons: [], obeyed: carriedOut });
}
