import { INTERVAL_MS } from '../../contract/index.ts';
import type { Cancel, Env, Subscription } from '../../env/index.ts';
import type { Engine } from '../core/Engine.ts';
import type { PaperCore } from '../core/PaperCore.ts';
import { ServiceError } from '../core/ServiceError.ts';

export type ReplaySpeed = number | 'max';

/** `GET /paper/replay`; times are epoch milliseconds of the replay. */
export interface ReplayRecord {
  time: number;
  start_time: number;
  end_time: number;
  speed: ReplaySpeed;
  state: 'paused' | 'running' | 'ended';
}

/** Moves the engine's time: by steps while it is paused, with wall time while it runs. */
export interface Replay {
  record(): ReplayRecord;
  /**
   * Steps a paused replay to `toTime` inclusive; one step at a time, in the order of the requests.
   * Resolves when every frame that results from it is delivered.
   *
   * @param toTime epoch milliseconds, or how they follow from the time at which the step before has ended
   * @param untilEvent it goes no further than to the next instant at which a frame goes to a session
   * @param apartFrom subscriptions whose frames are no such event
   * @throws ServiceError `validation_failed` backwards, `invalid_transition` while it runs
   */
  advance(
    toTime: number | ((now: number) => number),
    untilEvent?: boolean,
    apartFrom?: readonly Subscription[],
  ): Promise<ReplayRecord>;
  /** Replay seconds a wall second; 0 pauses. */
  setSpeed(speed: ReplaySpeed): ReplayRecord;
  stop(): void;
}

export interface ReplayOptions {
  core: Pick<PaperCore, 'engine' | 'advanceTo' | 'setApart' | 'hasLatency'>;
  env: Pick<Env, 'clock' | 'timers' | 'log'>;
  speed: ReplaySpeed;
  paused: boolean;
  /** After an `advance`, when everything else is delivered. */
  onAdvanced(toTime: number): void;
  /** Resolves when the sockets have drained enough; null if little is waiting. */
  relieve(): Promise<void> | null;
}

const TICK_MS = 50;
const SLICE_MS = 10;

export function createReplay(options: ReplayOptions): Replay {
  const { core, env } = options;
  const { engine } = core;
  const stepMs = shortestInterval(engine);
  let speed = options.speed;
  const state = { running: !options.paused && speed !== 0, stopped: false };
  let isAnnounced = false;
  let cancelTick: Cancel = () => {};
  let queue: Promise<unknown> = Promise.resolve();
  /** Replay time and monotonic time when the pace was last set. */
  let anchor = { replay: engine.now, monotonic: env.clock.monotonicNow() };

  const hasEnded = (): boolean => engine.now >= engine.endTime;

  const record = (): ReplayRecord => ({
    time: engine.now,
    start_time: engine.startTime,
    end_time: engine.endTime,
    speed,
    state: hasEnded() ? 'ended' : state.running ? 'running' : 'paused',
  });

  /** Runs bar by bar, so that every socket can drain between bursts of frames. */
  const run = async (target: number, untilEvent = false): Promise<void> => {
    // Transits that are due now arrive, even if no time passes.
    if (engine.now >= target) core.advanceTo(target);
    while (engine.now < target && !state.stopped) {
      const next = Math.floor(engine.now / stepMs) * stepMs + stepMs;
      const hasHanded = core.advanceTo(Math.min(next, target), untilEvent);
      const relief = options.relieve();
      if (relief !== null) await relief;
      if (untilEvent && hasHanded) return;
    }
  };

  const enqueue = <T>(work: () => Promise<T>): Promise<T> => {
    const done = queue.then(work);
    queue = done.catch(() => {});
    return done;
  };

  /** Runs as many bars as fit into a slice of time; requests run between slices. */
  const runSlice = async (): Promise<void> => {
    if (hasEnded()) return run(engine.endTime);
    const start = env.clock.monotonicNow();
    while (state.running && !hasEnded()) {
      await run(Math.min(engine.now + stepMs, engine.endTime));
      if (env.clock.monotonicNow() - start >= SLICE_MS) return;
    }
  };

  const keepPace = async (): Promise<void> => {
    if (!state.running) return;
    if (speed === 'max') return runSlice();
    const elapsed = env.clock.monotonicNow() - anchor.monotonic;
    await run(Math.min(Math.floor(anchor.replay + elapsed * speed), engine.endTime));
  };

  const tick = async (): Promise<void> => {
    if (state.stopped || !state.running) return;
    await enqueue(keepPace);
    if (hasEnded()) announceEnd();
    // What is sent after the tape's end arrives at its end, as long as the replay runs.
    if (!hasEnded() || core.hasLatency) schedule();
  };
  const announceEnd = (): void => {
    if (!isAnnounced) env.log.info('The replay has ended', { market_time: engine.now });
    isAnnounced = true;
  };
  const schedule = (): void => {
    cancelTick();
    if (state.stopped || !state.running) return;
    const pause = speed === 'max' && !hasEnded() ? 0 : TICK_MS;
    cancelTick = env.timers.after(pause, () => void tick().catch(fail));
  };
  const fail = (error: unknown): void => {
    state.running = false;
    env.log.error('The replay stopped on an error', { error: String(error) });
  };

  schedule();
  return {
    record,
    advance: (wanted, untilEvent, apartFrom = []) =>
      enqueue(async () => {
        if (state.running && !hasEnded()) {
          throw new ServiceError('invalid_transition', {
            message: 'Pause the replay before stepping it.',
            details: { from: 'running', action: 'advance', allowed: ['speed'] },
          });
        }
        const toTime = typeof wanted === 'number' ? wanted : wanted(engine.now);
        if (toTime < engine.now) throw backwards(toTime, engine.now);
        core.setApart(apartFrom);
        await run(Math.min(toTime, engine.endTime), untilEvent);
        options.onAdvanced(engine.now);
        return record();
      }),
    setSpeed(wanted) {
      speed = wanted;
      state.running = wanted !== 0;
      anchor = { replay: engine.now, monotonic: env.clock.monotonicNow() };
      schedule();
      return record();
    },
    stop() {
      state.stopped = true;
      state.running = false;
      cancelTick();
    },
  };
}

function shortestInterval(engine: Engine): number {
  const { market } = engine;
  const lengths = market.instruments.map(({ symbol }) => INTERVAL_MS[market.feedInterval(symbol)]);
  return Math.min(...lengths, INTERVAL_MS['1d']);
}

function backwards(toTime: number, now: number): ServiceError {
  const message = `The replay is at ${now} and never goes back to ${toTime}.`;
  return new ServiceError('validation_failed', {
    message: `to_time: ${message}`,
    details: { fields: [{ path: 'to_time', code: 'backwards', message }] },
  });
}
