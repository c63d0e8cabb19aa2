import type { ServiceRequest } from '../src/contract/index.ts';
import type { Env } from '../src/env/index.ts';
import {
  stepMsOf,
  type DriveOptions,
  type LoadedTape,
  type PaperVenue,
} from '../src/operate/run/index.ts';
import type { PaperCore } from '../src/paper/index.ts';
import { type Bot, nextStop, type ReplayPosition } from '../src/runtime/index.ts';
import { createClient } from '../src/wire/index.ts';
import type { DirectLink } from './directLink/createDirectLink.ts';
import { openVenueLink } from './openVenueLink.ts';

/** Steps between two checks for a stop and for progress. */
const STEPS_A_TURN = 1_024;
/** A signal is handled only between two turns of the event loop, and a turn costs a millisecond. */
const LOOP_MS = 100;
/**
 * Terminal records that the service retains, per kind and wallet: the record of the run has them all, and
 * a strategy can't request older ones.
 */
const MOST_RETAINED = 1_000;

/**
 * The paper core in this process under a virtual clock, as a venue to run a bot on. All clocks are the
 * replay's, so that nothing of a run depends on its speed.
 *
 * @param startTime epoch milliseconds; nothing of the tape before the end of its warm-up is replayed
 * @param live the machine's environment, for the log and to yield to the event loop
 */
export function openDirectVenue(
  { loaded, dialect, paper, data }: LoadedTape,
  { startTime, live }: { startTime?: number | undefined; live: Env },
): PaperVenue & { link: DirectLink } {
  const retention = Math.min(paper.retention, MOST_RETAINED);
  const { core, env, link, hasDelay } = openVenueLink({
    paper: { ...paper, retention },
    data,
    dialect,
    seed: loaded.config.seed,
    startTime,
    log: live.log,
  });
  const http = {
    request: (request: ServiceRequest) => Promise.resolve(link.request(request)),
    close: () => Promise.resolve(),
  };
  return {
    env,
    link,
    client: createClient(http, dialect),
    budgetClock: 'market',
    isStepped: true,
    // One at a time would make each wait for the latency of the one before it.
    concurrency: hasDelay ? undefined : 1,
    position: () => link.controls.position(),
    drive: (options) => drive({ ...options, core, link, live, stepMs: stepMsOf(paper) }),
  };
}

interface Drive extends DriveOptions {
  core: PaperCore;
  link: DirectLink;
  live: Env;
  stepMs: number;
}

/**
 * The same steps as {@link runReplay}, without a promise for a step that had no effect: that is most of
 * them, and waiting costs more than the step itself.
 */
async function drive(options: Drive): Promise<number> {
  const { core, link, bot, live, stepMs, onStep, isOver } = options;
  const { engine } = core;
  const { endTime } = engine;
  const { isIdle } = bot;
  await conclude(bot, link, engine.now);
  let lastFrameAt = live.clock.monotonicNow();
  let { now } = engine;
  while (now < endTime && !isOver()) {
    let { sends } = bot;
    for (let step = 0; step < STEPS_A_TURN && now < endTime; step++) {
      now = link.advanceTo(nextStop({ time: now, endTime, stepMs, link }));
      const isDue = link.dueTime !== undefined && link.dueTime() <= now;
      if (isIdle() && !isDue) continue;
      const last = settleNow(bot, link, sends);
      if (!isIdle() || isDue) await settle(bot, link, last);
      ({ sends } = bot);
    }
    onStep(positionOf(core));
    if (live.clock.monotonicNow() - lastFrameAt < LOOP_MS) continue;
    lastFrameAt = live.clock.monotonicNow();
    await new Promise<void>((resolve) => void live.timers.after(0, resolve));
  }
  return engine.now;
}

/** The zero-length step at the start of a run: it delivers the subscriptions' first data. */
function conclude(bot: Bot, link: DirectLink, time: number): Promise<void> {
  const { sends } = bot;
  link.advanceTo(time);
  return settle(bot, link, sends);
}

/**
 * Work that needs no waiting, without a promise: an order that is answered at once. @returns sends so far
 */
function settleNow(bot: Bot, link: DirectLink, sendsBefore: number): number {
  let sends = sendsBefore;
  bot.flush();
  while (bot.isIdle() && bot.sends !== sends) {
    sends = bot.sends;
    link.advanceTo(0);
    bot.flush();
  }
  return sends;
}

/** While something was sent or arrived, a zero-length step delivers the resulting frames. */
async function settle(bot: Bot, link: DirectLink, sendsBefore: number): Promise<void> {
  let sends = sendsBefore;
  await bot.settled();
  for (;;) {
    const arrived = (await link.arrive?.(link.market.now(), () => bot.settled())) ?? 0;
    if (arrived === 0 && bot.sends === sends) return;
    sends = bot.sends;
    link.advanceTo(0);
    await bot.settled();
  }
}

function positionOf({ engine }: PaperCore): ReplayPosition {
  return { time: engine.now, start_time: engine.startTime, end_time: engine.endTime };
}
