import { createRandom, type Random } from '../../src/env/index.ts';
import type { ControlFiles } from '../../src/operate/control/index.ts';
import { pulse, readWhole, writeWhole } from '../../src/operate/control/controlFiles.ts';
import type { KillLevel } from '../../src/runtime/control/killLevels.ts';
import type { Armed } from './bot/ChaosOrders.ts';
import type { Boundary } from './boundaries.ts';
import { play, type Disturbance, type Play, type PlayOptions } from './play.ts';
import { SCRIPT } from './script.ts';
import type { ChaosService } from './startService.ts';

/** The script's intents that go over HTTP; one goes over the socket. */
const BY_HTTP = SCRIPT.length - 1;
const OLD_INTENTS = 250;

/** Minimum passages of each boundary in one run of the script. */
const PASSAGES: Readonly<Record<Boundary, number>> = {
  emit: SCRIPT.length,
  guard: SCRIPT.length,
  'mid-write': SCRIPT.length,
  written: SCRIPT.length * 2,
  synced: SCRIPT.length * 2,
  'sending recorded': SCRIPT.length,
  'half the request written': BY_HTTP,
  'request complete': BY_HTTP,
  'response received': SCRIPT.length,
  'mid-outcome record': SCRIPT.length,
  'outcome before publish': SCRIPT.length,
  // Recovered; asked.
  reconciling: 2,
  // Before and after the commit of each of three slices.
  compaction: 6,
  // Before and after the commit, for the kill and for the rearm.
  'latch write': 4,
  // The pause of the execution: its record, its request, its answer, its outcome.
  'SIGTERM drain': 4,
};

/** Boundaries that leave something to reconcile. */
const LEAVING: readonly Boundary[] = [
  'sending recorded',
  'half the request written',
  'request complete',
  'response received',
];

/**
 * One round: the bot dies at a passage of the boundary that the seed draws, and starts again.
 *
 * @param databaseUrl where its journal is, as an account of its own; default: in a file
 */
export async function killRound(
  service: ChaosService,
  boundary: Boundary,
  { seed, databaseUrl }: { seed: string; databaseUrl?: string },
): Promise<Play> {
  const random = createRandom(`${seed} ${boundary}`);
  const at = (of: Boundary): Armed => ({ boundary: of, passage: 1 + below(random, PASSAGES[of]) });
  const place = databaseUrl === undefined ? 'file' : 'database';
  const label = `${boundary} ${place} ${seed}`;
  const here = at(boundary);
  const database =
    databaseUrl === undefined ? {} : { database: { url: databaseUrl, account: label } };
  const playWith = (given: Pick<PlayOptions, 'armed' | 'durability' | 'oldIntents' | 'disturb'>) =>
    play({ service, label, ...database, ...given });
  switch (boundary) {
    case 'reconciling': {
      const before = at(LEAVING[below(random, LEAVING.length)]!);
      return playWith({ armed: [before, here] });
    }
    case 'written':
      return playWith({ armed: [here], durability: 'process' });
    case 'compaction':
      return playWith({ armed: [here], oldIntents: OLD_INTENTS });
    case 'latch write':
      return playWith({ armed: [here], disturb: orderTwice });
    case 'SIGTERM drain': {
      // While the execution runs, so that there is something to pause.
      const step = 2 + below(random, 4);
      return playWith({ armed: [here], disturb: () => termAt(step) });
    }
    default:
      return playWith({ armed: [here] });
  }
}

const below = (random: Random, count: number): number => Math.floor(random.next() * count);

function termAt(step: number): Disturbance {
  let isAsked = false;
  return {
    onStep(done, bot) {
      if (done !== step || isAsked) return;
      isAsked = true;
      bot.child.kill('SIGTERM');
    },
  };
}

const LOOK_MS = 50;
/** At most as long as `trimtab kill` waits for an acknowledgement. */
const AGAIN_MS = 3_000;

/** An operator who blocks entries as the script begins, verifies it, and releases the level. */
function orderTwice(files: ControlFiles): Disturbance {
  let isGiven = false;
  let isOver = false;
  let wasClosed = false;
  const give = (level: KillLevel): number => {
    const time = Date.now();
    writeWhole(files.command, { level, reason: 'chaos', time });
    return time;
  };
  const isAt = (level: KillLevel, time: number): boolean => {
    const now = readWhole(files.pulse, pulse);
    return now !== undefined && now.obeyed >= time && now.level === level;
  };
  async function order(): Promise<void> {
    const up = give('L1');
    // Given once: the command stays in force if the process dies.
    while (!isOver && !isAt('L1', up)) await pause(LOOK_MS);
    wasClosed = !isOver;
    while (!isOver) {
      const down = give('L0');
      const end = performance.now() + AGAIN_MS;
      while (!isOver && performance.now() < end) {
        if (isAt('L0', down)) return;
        await pause(LOOK_MS);
      }
    }
  }
  return {
    onStep() {
      if (isGiven) return;
      isGiven = true;
      void order();
    },
    problems: () => (wasClosed ? [] : ['The script was done before the entries were closed.']),
    end: () => (isOver = true),
  };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
