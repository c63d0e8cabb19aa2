import type { Bot } from '../../src/runtime/createBot.ts';
import { rankOf, type KillLevel } from '../../src/runtime/control/killLevels.ts';
import type { SimProcess } from './SimProcess.ts';
import type { SimWorld } from './SimWorld.ts';

/** Whoever throws kill levels, and means them: a process that dies first is told again. */
export interface Person {
  /** A process has started. */
  follow(process: SimProcess, bot: Bot): void;
  /** A level is thrown now, and taken back after so long. */
  throws(level: KillLevel, forMs: number): void;
  /** All is well: what stands is taken back now. */
  rearms(): void;
  /** The level that the bot must keep to: it was told, and it would know it after a crash. */
  readonly level: KillLevel;
}

/** A refused or lost word is said again after so long. */
const AGAIN_MS = 1_000;

export function createPerson(world: SimWorld): Person {
  let current: { process: SimProcess; bot: Bot } | null = null;
  let wanted: KillLevel = 'L0';
  let level: KillLevel = 'L0';
  let isDurable = false;
  let rearming = false;

  function tell({ process, bot }: { process: SimProcess; bot: Bot }): void {
    world.note('person', wanted);
    level = wanted;
    bot.kill(wanted, 'a person').then(
      () => {
        if (process.alive) isDurable = true;
      },
      // A full disk: the level stands, as long as the process does.
      () => {},
    );
  }

  function rearm(): void {
    if (!rearming) return;
    world.after(AGAIN_MS, rearm);
    if (current === null || !current.process.alive) return;
    const { process, bot } = current;
    const wasCut = wanted === 'L4';
    level = 'L0';
    bot.rearm('a person').then(
      () => {
        if (!rearming || !process.alive) return;
        world.note('person', 'L0');
        rearming = false;
        wanted = 'L0';
        // A wire that was cut is not put together again by the process that cut it.
        if (wasCut) process.kill('after L4');
      },
      () => {},
    );
  }

  return {
    get level() {
      return level;
    },
    follow(process, bot) {
      current = { process, bot };
      process.onKilled(() => {
        if (!isDurable) level = 'L0';
      });
      if (wanted !== 'L0' && !isDurable && !rearming) tell(current);
    },
    throws(next, forMs) {
      if (wanted !== 'L0') return;
      wanted = next;
      isDurable = false;
      if (current?.process.alive === true) tell(current);
      world.after(forMs, () => this.rearms());
    },
    rearms() {
      if (wanted === 'L0' || rearming) return;
      rearming = true;
      rearm();
    },
  };
}

/** What a level forbids of what is about to leave; undefined where it may. */
export function forbidden(level: KillLevel, one: { opens: boolean }): string | undefined {
  if (level === 'L4') return 'sent_after_the_cut';
  return rankOf(level) >= 1 && one.opens ? 'entry_while_killed' : undefined;
}
