import type { Cancel, Env, MarketClock } from '../env/index.ts';
import type { JournalStore } from '../journal/index.ts';
import type { EntryGate } from './createEntryGate.ts';
import type { Pipe } from './createPipe.ts';
import { rankOf, readLatch, writeLatch, type KillLatch, type KillLevel } from './killLevels.ts';
import { endEntries, flatten, toEmissions, type AtWork } from './operatorIntents.ts';

export interface KillSwitchOptions {
  env: Env;
  market: MarketClock;
  store: JournalStore;
  gate: EntryGate;
  /** Symbols that the strategies of a wallet own. */
  symbolsOf(wallet: string): readonly string[];
  atWork(): readonly AtWork[];
  pipe: Pick<Pipe, 'submit' | 'isPending'>;
  /** L4: nothing is sent from now on. */
  cutWire(): void;
  onLevel(latch: KillLatch): void;
}

export interface KillSwitch {
  readonly level: KillLevel;
  /**
   * Goes up at once; down only by {@link KillSwitch.rearm}.
   *
   * @throws what keeps the level from being durable; it stands all the same, until the process ends
   */
  kill(level: KillLevel, reason: string): Promise<void>;
  /**
   * A person says that trading may go on.
   *
   * @throws where that could not be made durable, or a kill came before it was: the level stands
   */
  rearm(reason: string): Promise<void>;
  /**
   * Takes up the level of the process before this one, before anything is sent.
   *
   * @throws JournalFault where it can't be read
   */
  restore(): void;
  /** Ends what is at work, where the level asks for it: what is at work has just become known. */
  look(): void;
  stop(): void;
}

/**
 * L2 and L3 look again after so long, as long as they stand: an order may fill meanwhile, and an entry
 * that was under way may turn out to be accepted.
 */
const LOOK_AGAIN_MS = 5_000;
/** Re-armed or not: what was cut is put together by the next process only. */
const CUT = 'the wire was cut, and nothing is sent until the bot is restarted';

export function createKillSwitch(options: KillSwitchOptions): KillSwitch {
  const { env, market, store, gate, pipe } = options;
  let latch: KillLatch = { level: 'L0', reason: '', time: 0 };
  let cancelLook: Cancel = () => {};
  /** Kills so far, those that found their level standing included. */
  let thrown = 0;
  /** What stands in the journal, as far as is known. */
  let durable = latch;
  let isRestored = false;

  const gateReason = ({ level, reason }: KillLatch): string => `kill level ${level}: ${reason}`;

  function enter(next: KillLatch): void {
    cancelLook();
    const former = gateReason(latch);
    latch = next;
    // Before the gate, whose closing lets the queue look at what waits.
    const isCut = latch.level === 'L4';
    if (isCut) options.cutWire();
    options.onLevel(latch);
    // Closed anew before it is opened: from level to level nobody sees an open gate.
    if (rankOf(latch.level) >= 1) gate.close(gateReason(latch));
    if (isCut) gate.close(CUT);
    if (former !== gateReason(latch)) gate.open(former);
    look();
  }

  function look(): void {
    if (latch.level === 'L2' || latch.level === 'L3') act();
  }

  function act(): void {
    cancelLook();
    for (const work of options.atWork()) {
      const entries = endEntries(work);
      const exits = latch.level === 'L3' ? flatten(work, options.symbolsOf(work.wallet)) : [];
      const cause = `kill:${latch.level}:${env.clock.wallNow()}`;
      const why = { wallet: work.wallet, cause, market };
      for (const emission of toEmissions([...entries, ...exits], why)) {
        // In a storm of 429s each look would add one that spends as much as the first when it is over.
        if (!pipe.isPending(emission)) pipe.submit(emission);
      }
    }
    cancelLook = env.timers.after(LOOK_AGAIN_MS, act);
  }

  /** Once, before whatever comes first: an order that a start finds must not lower what stands. */
  function restore(): void {
    if (isRestored) return;
    const kept = readLatch(store);
    isRestored = true;
    if (kept === undefined || kept.level === 'L0') return;
    durable = kept;
    enter(kept);
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
      // Acted upon first: a disk that is full must not keep a position open.
      if (rankOf(level) > rankOf(latch.level)) {
        enter({ level, reason, time: env.clock.wallNow() });
      }
      // Who insists has a level written that could not be written before.
      if (durable !== latch) await write(latch);
    },
    async rearm(reason) {
      const before = thrown;
      const next: KillLatch = { level: 'L0', reason, time: env.clock.wallNow() };
      await write(next);
      if (thrown === before) return enter(next);
      // To write it may take as long as a database is away: whoever kills meanwhile meant what is now.
      await write(latch);
      throw new Error(`a kill came meanwhile, and level ${latch.level} stands`);
    },
    restore,
    look,
    stop: () => cancelLook(),
  };
}
