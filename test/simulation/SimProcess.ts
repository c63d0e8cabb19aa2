import { noMetrics, type Env, type Log, type LogFields } from '../../src/env/index.ts';
import type { Scenario } from './Scenario.ts';
import type { SimWorld } from './SimWorld.ts';

/** One life of the bot's process: killed, it does nothing any more, whatever still waits in it. */
export class SimProcess {
  readonly index: number;
  readonly env: Env;
  readonly #world: SimWorld;
  readonly #onKilled: Array<() => void> = [];
  readonly #timers = new Set<object>();
  #alive = true;
  #armed: string | null = null;

  constructor(
    world: SimWorld,
    options: { index: number; skewMs: () => number; heard: (line: string) => void },
  ) {
    this.#world = world;
    this.index = options.index;
    const bornAt = world.queue.now();
    this.env = {
      clock: {
        wallNow: () => Math.floor(world.queue.now()) + options.skewMs(),
        monotonicNow: () => world.queue.now() - bornAt,
      },
      timers: {
        after: (delayMs, run) => {
          const timer = {};
          this.#timers.add(timer);
          const cancel = world.queue.at(world.queue.now() + Math.max(0, delayMs), () => {
            this.#timers.delete(timer);
            if (this.#alive) run();
          });
          return () => {
            this.#timers.delete(timer);
            cancel();
          };
        },
      },
      random: world.random(`process ${options.index}`),
      log: createHeardLog(options.heard),
      metrics: noMetrics,
    };
  }

  get scenario(): Scenario {
    return this.#world.scenario;
  }

  /** Timers that wait. */
  get timers(): number {
    return this.#timers.size;
  }

  get alive(): boolean {
    return this.#alive;
  }

  kill(reason: string): void {
    if (!this.#alive) return;
    this.#alive = false;
    this.#world.note('killed', this.index, reason);
    for (const run of this.#onKilled) run();
  }

  onKilled(run: () => void): void {
    this.#onKilled.push(run);
  }

  /** The next time that this point is reached, the process dies there. */
  arm(point: string): void {
    this.#armed = point;
  }

  /** @returns false where the process died here */
  passes(point: string): boolean {
    if (this.#alive && this.#armed === point) this.kill(point);
    return this.#alive;
  }
}

/** What a dead process waits for never comes. */
export const never = <T>(): Promise<T> => new Promise<T>(() => {});

function createHeardLog(heard: (line: string) => void): Log {
  const write = (message: string, fields?: LogFields): void =>
    heard(`${message} ${JSON.stringify(fields ?? {})}`);
  const log: Log = { debug: write, info: write, warn: write, error: write, with: () => log };
  return log;
}
