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
  #armed: { point: string; strike: () => void } | null = null;
  /** What came while the machine was suspended: it is taken after the timers that are overdue. */
  #waiting: Array<() => void> | null = null;
  readonly #overdue: Array<() => void> = [];
  /** Length of a suspension in which the monotonic clock stops; 0 otherwise. */
  #standsStillMs = 0;
  /** Time that a clock which stops with the machine has not counted. */
  #stoodStillMs = 0;

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
        monotonicNow: () => sim.queue.now() - bornAt - this.#stoodStillMs,
      },
      timers: { after: (delayMs, run) => this.#after(delayMs, run) },
      random: sim.random(`process ${options.index}`),
      log: createObservedLog(options.received),
      metrics: noMetrics,
    };
  }

  /** Timers count by the monotonic clock: one that stood still fires them that much later. */
  #after(delayMs: number, run: () => void): () => void {
    const { queue } = this.#world;
    const timer = {};
    let counted = this.#stoodStillMs;
    let cancel = (): void => {};
    let isOver = false;
    const fire = (): void => {
      if (isOver) return;
      isOver = true;
      this.#timers.delete(timer);
      if (this.#alive) run();
    };
    const due = (): void => {
      const uncounted = this.#stoodStillMs - counted;
      counted = this.#stoodStillMs;
      if (uncounted > 0) cancel = queue.at(queue.now() + uncounted, due);
      else if (this.#waiting === null) fire();
      else if (this.#standsStillMs === 0) this.#overdue.push(fire);
      else {
        counted += this.#standsStillMs;
        cancel = queue.at(queue.now() + this.#standsStillMs, due);
      }
    };
    this.#timers.add(timer);
    cancel = queue.at(queue.now() + Math.max(0, delayMs), due);
    return () => {
      isOver = true;
      this.#timers.delete(timer);
      cancel();
    };
  }

  /** An operator has stopped its bot, and commands nothing more. */
  isStopping = false;
  /** Whether its machine was ever suspended. */
  wasSuspended = false;

  get isSuspended(): boolean {
    return this.#waiting !== null;
  }

  /**
   * The machine is suspended: nothing of the process runs. Then the timers that are overdue fire, all at once and in
   * their order, and after them it learns of what came meanwhile.
   *
   * @param clock `jumps`: the monotonic clock counts the time, as in a machine that its host paused; `stops`: it does
   *   not, as in a laptop whose lid was closed
   */
  suspend(forMs: number, clock: 'jumps' | 'stops', onResumed: () => void): void {
    if (!this.#alive || this.#waiting !== null) return;
    this.#waiting = [];
    this.wasSuspended = true;
    if (clock === 'stops') this.#standsStillMs = forMs;
    this.#world.after(forMs, () => {
      const came = this.#waiting ?? [];
      this.#waiting = null;
      if (!this.#alive) return;
      this.#stoodStillMs += this.#standsStillMs;
      this.#standsStillMs = 0;
      this.#world.note('resumed', this.index, forMs);
      onResumed();
      for (const fire of this.#overdue.splice(0)) fire();
      for (const take of came) take();
    });
  }

  /** Something outside of the process happens to it: at once, or when it runs again. */
  takes(run: () => void): void {
    if (this.#waiting === null) run();
    else this.#waiting.push(() => this.takes(run));
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

  /** The process dies when it next reaches this point, or is struck otherwise. */
  arm(point: string, strike = (): void => this.kill(point)): void {
    this.#armed = { point, strike };
  }

  /** @returns false where the process died here */
  passes(point: string): boolean {
    if (this.#alive && this.#armed?.point === point) {
      const { strike } = this.#armed;
      this.#armed = null;
      strike();
    }
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
