import { SCOPES, type ServiceRequest } from '../src/contract/index.ts';
import { createVirtualEnv, type Env } from '../src/env/index.ts';
import {
  stepMsOf,
  type DriveOptions,
  type LoadedTape,
  type PaperVenue,
} from '../src/operate/run/index.ts';
import { createPaperService, startTimeOf, type PaperCore } from '../src/paper/index.ts';
import {
  type Bot,
  createDelayedLink,
  hasRequestDelay,
  nextStop,
  type ReplayPosition,
} from '../src/runtime/index.ts';
import { createClient } from '../src/wire/index.ts';
import { createDirectLink, type DirectLink } from './directLink/createDirectLink.ts';

/** Nobody signs with it: the key only carries scopes and a budget. */
const CREDENTIALS = { keyId: 'vk_backtest', secret: 'vs_backtest' };
/** Steps between two looks at whether the user wants it to end, and at how far it is. */
const STEPS_A_TURN = 1_024;
/** A signal is heard between two turns of the machine's own loop only, and a turn costs a millisecond. */
const LOOP_MS = 100;
/**
 * What is over and still listed by the service, a kind and wallet: the record of the run has it all,
 * and a strategy has no means to ask for what is so long over.
 */
const MOST_KEPT = 1_000;

/**
 * The paper core in this process under a virtual clock, as a venue to run a bot on. All clocks are the
 * replay's, so that nothing of a run depends on how fast it goes.
 *
 * @param startTime epoch milliseconds; nothing of the tape before its warm-up is over is replayed
 * @param live the machine's own environment, for the log and for letting others have their turn
 */
export function openDirectVenue(
  { loaded, dialect, paper, data }: LoadedTape,
  { startTime = 0, live }: { startTime?: number | undefined; live: Env },
): PaperVenue & { link: DirectLink } {
  const from = Math.max(startTime, startTimeOf(data.feeds, paper.warmup));
  const env = createVirtualEnv({ seed: loaded.config.seed, startTime: from, log: live.log });
  const retention = Math.min(paper.retention, MOST_KEPT);
  const settings = { ...paper, retention, budget_clock: 'replay' as const };
  const { seed } = loaded.config;
  const core = createPaperService({ settings, data, dialect, startTime: from, seed }, env);
  const key = { label: 'backtest', scopes: SCOPES, tier: paper.tier };
  core.addKey(key, CREDENTIALS, env.clock.wallNow());
  const direct = createDirectLink({ core, keyId: CREDENTIALS.keyId, env, dialect });
  const { latency } = paper;
  const delays = { order: latency.order_ms, cancel: latency.cancel_ms };
  const { endTime } = core.engine;
  const hasDelay = hasRequestDelay(latency);
  const link = hasDelay ? createDelayedLink(direct, { delays, seed, endTime }) : direct;
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
    // One at a time would make each wait for the way of the one before it.
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
 * The same steps as {@link runReplay}, without a promise for one that nothing came of: that is most of
 * them, and waiting costs more than the step itself.
 */
async function drive(options: Drive): Promise<number> {
  const { core, link, bot, live, stepMs, onStep, isOver } = options;
  const { engine } = core;
  const { endTime } = engine;
  const { isIdle } = bot;
  await conclude(bot, link, engine.now);
  let heardAt = live.clock.monotonicNow();
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
    if (live.clock.monotonicNow() - heardAt < LOOP_MS) continue;
    heardAt = live.clock.monotonicNow();
    await new Promise<void>((resolve) => void live.timers.after(0, resolve));
  }
  return engine.now;
}

/** The step of no time that a run begins with: it brings what the subscriptions asked for. */
function conclude(bot: Bot, link: DirectLink, time: number): Promise<void> {
  const { sends } = bot;
  link.advanceTo(time);
  return settle(bot, link, sends);
}

/** What needs no waiting, without a promise: an order that is answered at once. @returns sends so far */
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

/** As long as something was sent or arrived, a step of no time brings the frames that it caused. */
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
