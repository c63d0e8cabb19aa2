import type { Env } from '../src/env/index.ts';
import type { DriveOptions } from '../src/operate/run/index.ts';
import type { PaperCore } from '../src/paper/index.ts';
import {
  confirmStart,
  nextStop,
  runReplay,
  type Bot,
  type DelayedLink,
  type ReplayPosition,
} from '../src/runtime/index.ts';
import type { DirectLink } from '../src/operate/directLink/index.ts';

/** Steps between two checks for a stop and for progress. */
const STEPS_A_TURN = 1_024;
/** A signal is handled only between two turns of the event loop, and a turn costs a millisecond. */
const LOOP_MS = 100;

/** A replay through the direct link: what is driven, and by which clock the event loop gets its turns. */
export interface DirectDrive extends DriveOptions {
  core: PaperCore;
  link: DirectLink & Partial<DelayedLink>;
  live: Env;
  /** Bar of the finest feed, milliseconds. */
  stepMs: number;
}

/**
 * The same steps as {@link runReplay}, without a promise for a step that had no effect: that is most of
 * them, and waiting costs more than the step itself. A stretch in which nothing but bars can come is one step.
 */
export async function driveReplay(options: DirectDrive): Promise<number> {
  const { core, link, bot, live, stepMs, onStep, isOver } = options;
  const { engine } = core;
  const { endTime } = engine;
  const { isIdle } = bot;
  await conclude(bot, link, engine.now);
  await confirmStart(bot, () => conclude(bot, link, engine.now));
  const breathe = createBreaths(live);
  let { now } = engine;
  while (now < endTime && !isOver()) {
    let { sends } = bot;
    for (let step = 0; step < STEPS_A_TURN && now < endTime; step++) {
      const reached = link.runSpan(link.nextTaskTime());
      // A span counts as the steps that it stands for.
      if (reached > now) step += Math.floor((reached - now) / stepMs) - 1;
      now =
        reached > now ? reached : link.advanceTo(nextStop({ time: now, endTime, stepMs, link }));
      if (isIdle() && !hasArrived(link, now)) continue;
      const last = settleNow(bot, link, sends);
      // A request that was decided just now arrives at the end of the tape at the latest: perhaps it has.
      if (!isIdle() || hasArrived(link, now)) await settle(bot, link, last);
      ({ sends } = bot);
    }
    onStep(positionOf(core));
    const turn = breathe();
    if (turn !== undefined) await turn;
  }
  return engine.now;
}

/** Whether a request that has a latency reaches the service by now. */
function hasArrived({ dueTime }: Pick<DirectDrive['link'], 'dueTime'>, now: number): boolean {
  return dueTime !== undefined && dueTime() <= now;
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

/**
 * The replay by its definition, a promise a step: what {@link driveReplay} must equal in everything that a run leaves.
 */
export async function walkExactly(options: DirectDrive): Promise<number> {
  const { link, bot, stepMs, onStep, isOver } = options;
  const breathe = createBreaths(options.live);
  const end = await runReplay({
    controls: link.controls,
    link,
    stepMs,
    bot,
    onStep(position) {
      onStep(position);
      return breathe();
    },
    isStopped: isOver,
  });
  return end.time;
}

/** Gives the event loop a turn now and then; undefined if it has had one of late. */
function createBreaths({ clock, timers }: Pick<Env, 'clock' | 'timers'>) {
  let lastAt = clock.monotonicNow();
  return (): Promise<void> | undefined => {
    if (clock.monotonicNow() - lastAt < LOOP_MS) return undefined;
    lastAt = clock.monotonicNow();
    return new Promise((resolve) => void timers.after(0, resolve));
  };
}

function positionOf({ engine }: PaperCore): ReplayPosition {
  return { time: engine.now, start_time: engine.startTime, end_time: engine.endTime };
}
