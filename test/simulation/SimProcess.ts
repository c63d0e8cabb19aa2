import { noMetrics, type Env, type Log, type LogFields } from '../../src/env/index.ts';
import type { Scenario } from './Scenario.ts';
import type { Simulation } from './Simulation.ts';

/** One run of the bot's process: once killed, none of its pending work continues. */
export class SimProcess {
  readonly index: number;
  readonly env: Env;
  readonly #world: Simulation;
  readonly #onKilled: Array<() => void> = [];
  readonly #timers = new Set<object>();
  #alive = true;
  #armed: string | null = null;

  constructor(
    sim: Simulation,
    options: { index: number; skewMs: () => number; received: (line: string) => void },
  ) {
    this.#world = sim;
    this.index = options.index;
    const bornAt = sim.queue.now();
    this.env = {
      clock: {
        wallNow: () => Math.floor(sim.queue.now()) + options.skewMs(),
        monotonicNow: () => sim.queue.now() - bornAt,
      },
      timers: {
        after: (delayMs, run) => {
          const timer = {};
          this.#timers.add(timer);
          const cancel = sim.queue.at(sim.queue.now() + Math.max(0, delayMs), () => {
            this.#timers.delete(timer);
            if (this.#alive) run();
          });
          return () => {
            this.#timers.delete(timer);
            cancel();
          };
        },
      },
      random: sim.random(`process ${options.index}`),
      log: createObservedLog(options.received),
      metrics: noMetrics,
    };
  }

  get scenario(): Scenario {
    return this.#world.scenario;
  }

  /** Pending timers. */
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

  /** The process dies when it next reaches this point. */
  arm(point: string): void {
    this.#armed = point;
  }

  /** @returns false where the process died here */
  passes(point: string): boolean {
    if (this.#alive && this.#armed === point) this.kill(point);
    return this.#alive;
  }
}

/** Promises of a dead process never settle. */
export const never = <T>(): Promise<T> => new Promise<T>(() => {});

function createObservedLog(received: (line: string) => void): Log {
  const write = (message: string, fields?: LogFields): void =>
    received(`${message} ${JSON.stringify(fields ?? {})}`);
  const log: Log = { debug: write, info: write, warn: write, error: write, with: () => log };
  return log;
}
