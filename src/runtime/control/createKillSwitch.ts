import type { JournalStore } from '../../journal/index.ts';
import type { EntryGate } from './createEntryGate.ts';
import { createLevelEnding, type LevelEndingOptions } from './createLevelEnding.ts';
import {
  rankOf,
  readLatch,
  writeLatch,
  type KillLatch,
  type KillLevel,
  type StandingLevel,
} from './killLevels.ts';

export interface KillSwitchOptions extends Omit<LevelEndingOptions, 'latch'> {
  store: JournalStore;
  gate: EntryGate;
  /** Set to each level that is entered, before anything else is done. */
  standing: StandingLevel;
  /** L4: nothing is sent from now on. */
  cutWire(): void;
  onLevel(latch: KillLatch): void;
}

export interface KillSwitch {
  readonly level: KillLevel;
  /**
   * Raises the level at once; only {@link KillSwitch.rearm} lowers it.
   *
   * @throws what keeps the level from being durable; it is in force all the same, until the process ends
   */
  kill(level: KillLevel, reason: string): Promise<void>;
  /**
   * What the level could not end, or what could not be confirmed with the service, one line each; empty if
   * everything has ended. Resolves when that is known for the level in force.
   */
  unended(): Promise<readonly string[]>;
  /**
   * An operator allows trading again.
   *
   * @throws if that could not be made durable, or a kill came before it was: the level remains in force
   */
  rearm(reason: string): Promise<void>;
  /**
   * Restores the level of the previous process, before anything is sent.
   *
   * @throws JournalFault if it can't be read
   */
  restore(): void;
  /** Ends what is open, if the level requires it; called once the open records are known. */
  look(): void;
  stop(): void;
}

/** Even after re-arming, only the next process reconnects what was cut. */
export const WIRE_CUT = 'the wire was cut, and nothing is sent until the bot is restarted';

export function createKillSwitch(options: KillSwitchOptions): KillSwitch {
  const { env, store, gate, standing } = options;
  let latch: KillLatch = { level: 'L0', reason: '', time: 0 };
  const ending = createLevelEnding({ ...options, latch: () => latch });
  /** Kills so far, including those at a level that was already in force. */
  let thrown = 0;
  /** The level that is in the journal; undefined while that is not known. */
  let durable: KillLatch | undefined = latch;
  let isRestored = false;

  const gateReason = ({ level, reason }: KillLatch): string => `kill level ${level}: ${reason}`;

  function enter(next: KillLatch): void {
    ending.pause();
    const former = gateReason(latch);
    latch = next;
    standing.set(next.level);
    // Before the gate, whose closing lets the queue check what waits.
    const isCut = latch.level === 'L4';
    if (isCut) options.cutWire();
    options.onLevel(latch);
    // The new reason closes the gate before the old one is removed, so that it is never open in between.
    if (rankOf(latch.level) >= 1) gate.close(gateReason(latch));
    if (isCut) gate.close(WIRE_CUT);
    if (former !== gateReason(latch)) gate.open(former);
    look();
  }

  function look(): void {
    if (latch.level === 'L2' || latch.level === 'L3') ending.start();
  }

  /**
   * Reads the journal once, before anything else: a command pending at the start must not lower the level in
   * force.
   */
  function restore(): void {
    if (isRestored) return;
    const persisted = readLatch(store);
    isRestored = true;
    if (persisted === undefined || persisted.level === 'L0') return;
    durable = persisted;
    enter(persisted);
  }

  async function write(next: KillLatch): Promise<void> {
    await writeLatch(store, next);
    durable = next;
  }

  return {
    get level() {
      return latch.level;
    },
    async kill(level, reason) {
      thrown += 1;
      restore();
      // Acts before it persists: a full disk must not keep a position open.
      if (rankOf(level) > rankOf(latch.level)) {
        enter({ level, reason, time: env.clock.wallNow() });
      }
      // A repeated kill writes a level that could not be written before.
      if (durable !== latch) await write(latch);
    },
    unended: ending.unended,
    async rearm(reason) {
      const before = thrown;
      const next: KillLatch = { level: 'L0', reason, time: env.clock.wallNow() };
      // From now on either may be in the journal: a kill meanwhile writes its level, though it is in force.
      durable = undefined;
      await write(next);
      if (thrown === before) return enter(next);
      // Writing may take as long as a database is away: a kill that arrives meanwhile takes precedence.
      await write(latch);
      throw new Error(`a kill arrived meanwhile, and level ${latch.level} is in force`);
    },
    restore,
    look,
    stop: ending.stop,
  };
}
