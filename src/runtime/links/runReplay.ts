import type { Subscription } from '../../env/index.ts';
import type { BarrierLink } from './createBarrierLink.ts';
import { nextStop } from './nextStop.ts';

/** Position of a replay, as the paper service reports it (conventions §7); times in epoch milliseconds. */
export interface ReplayPosition {
  time: number;
  start_time: number;
  end_time: number;
}

/** The controls of a paper service that a replay at maximum speed needs. */
export interface ReplayControls {
  position(): Promise<ReplayPosition>;
  /**
   * Steps to `toTime` inclusive, but no further than the next instant at which the service has a frame for any
   * client; returns the position reached.
   *
   * @param apartFrom subscriptions whose frames do not end the step
   */
  advanceTo(toTime: number, apartFrom?: readonly Subscription[]): Promise<ReplayPosition>;
}

const NONE: readonly Subscription[] = [];
/** A service on which others trade may never show the same twice. */
const MOST_CONFIRMING = 10;
/** A step of more bars would show no progress. */
const MOST_BARS = 500;

/** A bot that has just been started. */
export interface StartedBot {
  /** Entries are closed until a second snapshot agrees with the first. */
  readonly isConfirming?: boolean;
}

export interface ReplayOptions {
  controls: ReplayControls;
  link: BarrierLink;
  /** The longest step in milliseconds: the bar of the feed. */
  stepMs: number;
  /** Requests sent so far, and a promise that resolves when none is in flight. */
  bot: StartedBot & { readonly sends: number; settled(): Promise<void> };
  /** Subscriptions by whose frames nothing is decided: the replay does not stop for them. Default: none. */
  passive?(): readonly Subscription[];
  /** The next step waits for the promise, if one is returned. */
  onStep?(position: ReplayPosition): void | Promise<void>;
  isStopped?(): boolean;
}

/**
 * Runs a bot through a replay from event to event, as fast as it is consumed: a step, its frames, the sends
 * that they caused; and as long as something was sent or arrived, a step of zero length for the frames which
 * that caused. What is decided within a bar is sent at that instant. Sockets and speed do not change the
 * result.
 */
export async function runReplay(options: ReplayOptions): Promise<ReplayPosition> {
  const { controls, link, bot, stepMs } = options;

  const step = async (
    toTime: number,
    apartFrom: readonly Subscription[] = NONE,
  ): Promise<ReplayPosition> => {
    // A subscription and a step also travel on different connections.
    await link.subscribed();
    const delivered = link.nextBarrier(apartFrom.length > 0);
    const [position] = await Promise.all([controls.advanceTo(toTime, apartFrom), delivered]);
    await bot.settled();
    return position;
  };

  const stepAndSettle = async (
    toTime: number,
    apartFrom?: readonly Subscription[],
  ): Promise<ReplayPosition> => {
    let sends = bot.sends;
    let position = await step(toTime, apartFrom);
    for (;;) {
      const arrived = (await link.arrive?.(position.time, () => bot.settled())) ?? 0;
      if (arrived === 0 && bot.sends === sends) return position;
      sends = bot.sends;
      position = await step(position.time);
    }
  };

  let position = await stepAndSettle((await controls.position()).time);
  await confirmStart(bot, async () => {
    position = await stepAndSettle(position.time);
  });
  while (position.time < position.end_time && options.isStopped?.() !== true) {
    const { time, end_time: endTime } = position;
    const passive = options.passive?.() ?? NONE;
    const longest = passive.length > 0 ? stepMs * MOST_BARS : stepMs;
    position = await stepAndSettle(nextStop({ time, endTime, stepMs: longest, link }), passive);
    const pause = options.onStep?.(position);
    if (pause !== undefined) await pause;
  }
  return position;
}

/**
 * A start is over before market time moves: the snapshots that confirm it were asked for during the first step. By
 * the next one the first timers would be due, which come before a step's frames.
 *
 * @param stepInPlace a step of zero length, and all that follows from it
 */
export async function confirmStart(
  bot: StartedBot,
  stepInPlace: () => Promise<void>,
): Promise<void> {
  for (let tries = 0; bot.isConfirming === true && tries < MOST_CONFIRMING; tries++)
    await stepInPlace();
}
