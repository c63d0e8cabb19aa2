import { TaskQueue, type Cancel } from '../../env/index.ts';
import type { TimerTopic } from './TimerTopic.ts';

/** A timer as plain data: it can be saved and restored. */
export interface PlannedTimer {
  /** Infinity: it waits for a bar that the feed does not have, and is due once one has come. */
  time: number;
  topic: TimerTopic;
  wallet: string;
  id: string;
}

/** The engine's timers: a task queue whose tasks have a topic and an owner. */
export class EngineTimers {
  readonly #queue: TaskQueue;
  readonly #run: (timer: PlannedTimer) => void;
  readonly #pending = new Map<PlannedTimer, Cancel>();

  constructor(startTime: number, run: (timer: PlannedTimer) => void) {
    this.#queue = new TaskQueue(startTime);
    this.#run = run;
  }

  at(timer: PlannedTimer): Cancel {
    this.#pending.set(timer, this.#enqueue(timer));
    return () => {
      this.#pending.get(timer)?.();
      this.#pending.delete(timer);
    };
  }

  #enqueue(timer: PlannedTimer): Cancel {
    if (timer.time === Infinity) return () => {};
    return this.#queue.at(timer.time, () => {
      this.#pending.delete(timer);
      this.#run(timer);
    });
  }

  /**
   * The feeds grew: each timer is due when `timeOf` says, Infinity: still never. Those of one time keep the order in
   * which they were set, as if the bars had been there then.
   */
  feedsGrew(timeOf: (timer: PlannedTimer) => number): void {
    for (const [timer, cancel] of this.#pending) {
      cancel();
      timer.time = timeOf(timer);
      this.#pending.set(timer, this.#enqueue(timer));
    }
  }

  /** Infinity if none is set. */
  nextTime(): number {
    return this.#queue.nextTime() ?? Infinity;
  }

  /** The next time of a timer of another topic; Infinity if none is set. */
  nextTimeBeside(topic: TimerTopic): number {
    let next = Infinity;
    for (const timer of this.#pending.keys()) {
      if (timer.topic !== topic && timer.time < next) next = timer.time;
    }
    return next;
  }

  advanceTo(time: number): void {
    this.#queue.advanceTo(time);
  }

  /** Those with a time, in the order in which they were set, which is also the order of ties. */
  pending(): PlannedTimer[] {
    return [...this.#pending.keys()].filter(({ time }) => time < Infinity);
  }
}
