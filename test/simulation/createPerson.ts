import type { Bot } from '../../src/runtime/createBot.ts';
import { rankOf, type KillLevel } from '../../src/runtime/control/killLevels.ts';
import type { SimProcess } from './SimProcess.ts';
import type { Simulation } from './Simulation.ts';

/** The operator who sets kill levels, and repeats a command if the process dies first. */
export interface Person {
  /** A process has started. */
  follow(process: SimProcess, bot: Bot): void;
  /** Sets a level now and releases it after this long. */
  throws(level: KillLevel, forMs: number): void;
  /** Sets a level, or a higher one than that in force, for good. */
  raises(level: KillLevel): void;
  /** Releases the level now. */
  rearms(): void;
  /** The level in force: acknowledged and durable. */
  readonly level: KillLevel;
  /** The level asked for and not yet released: what a higher one asked for may not be repeated. */
  readonly wanted: KillLevel;
  /** No level is wanted, and the last one was released. */
  readonly isArmed: boolean;
}

/** A refused or lost command is repeated after this long. */
const AGAIN_MS = 1_000;

export function createPerson(sim: Simulation): Person {
  let current: { process: SimProcess; bot: Bot } | null = null;
  let wanted: KillLevel = 'L0';
  let level: KillLevel = 'L0';
  let isDurable = false;
  let rearming = false;

  function report({ process, bot }: { process: SimProcess; bot: Bot }): void {
    sim.note('person', wanted);
    level = wanted;
    bot.kill(wanted, 'a person').then(
      () => {
        if (process.alive) isDurable = true;
      },
      // A full disk: the level lasts as long as the process.
      () => {},
    );
  }

  /** A machine that is suspended hears of it when it runs again. */
  function reportTo({ process, bot }: { process: SimProcess; bot: Bot }): void {
    process.takes(() => {
      if (process.alive && !process.isStopping && wanted !== 'L0') report({ process, bot });
    });
  }

  function rearm(): void {
    if (!rearming) return;
    sim.after(AGAIN_MS, rearm);
    const { process, bot } = current ?? {};
    if (process?.alive !== true || process.isSuspended || process.isStopping) return;
    const wasCut = wanted === 'L4';
    level = 'L0';
    bot!.rearm('a person').then(
      () => {
        if (!rearming || !process.alive) return;
        sim.note('person', 'L0');
        rearming = false;
        wanted = 'L0';
        // A process that reached L4 does not reconnect.
        if (wasCut) process.kill('after L4');
      },
      () => {},
    );
  }

  return {
    get level() {
      return level;
    },
    get wanted() {
      return wanted;
    },
    get isArmed() {
      return wanted === 'L0';
    },
    follow(process, bot) {
      current = { process, bot };
      process.onKilled(() => {
        // A former holder of the lease may end while the level is in force in another process.
        if (!isDurable && current?.process === process) level = 'L0';
      });
      if (wanted !== 'L0' && !isDurable && !rearming) report(current);
    },
    throws(next, forMs) {
      if (wanted !== 'L0') return;
      wanted = next;
      isDurable = false;
      if (current !== null) reportTo(current);
      sim.after(forMs, () => this.rearms());
    },
    raises(next) {
      wanted = next;
      isDurable = false;
      if (current !== null) reportTo(current);
    },
    rearms() {
      if (wanted === 'L0' || rearming) return;
      rearming = true;
      rearm();
    },
  };
}

/** Why a level forbids a request; undefined if it is allowed. */
export function forbidden(level: KillLevel, one: { opens: boolean }): string | undefined {
  if (level === 'L4') return 'sent_after_the_cut';
  return rankOf(level) >= 1 && one.opens ? 'entry_while_killed' : undefined;
}
