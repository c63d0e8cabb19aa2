import { TaskQueue, type Cancel } from '../../env/index.ts';
import type { TimerTopic } from './TimerTopic.ts';

/** A timer as plain data: it can be saved and restored. */
export interface PlannedTimer {
  time: number;
  topic: TimerTopic;
  wallet: string;
  id: string;
}

/** The engine's timers: a task queue whose tasks have a topic and an owner. */
export class EngineTimers {
  readonly #queue: TaskQueue;
  readonly #run: (timer: PlannedTimer) => void;
  readonly #pending = new Set<PlannedTimer>();

  constructor(startTime: number, run: (timer: PlannedTimer) => void) {
    this.#queue = new TaskQueue(startTime);
    this.#run = run;
  }

  at(timer: PlannedTimer): Cancel {
    this.#pending.add(timer);
    const cancel = this.#queue.at(timer.time, () => {
      this.#pending.delete(timer);
      this.#run(timer);
    });
    return () => {
      this.#pending.delete(timer);
      cancel();
    };
  }

  /** Infinity if none is set. */
  nextTime(): number {
    return this.#queue.nextTime() ?? Infinity;
  }

  /** The next time of a timer of another topic, null: of any; Infinity if none is set. */
  nextTimeBeside(topic: TimerTopic | null): number {
    if (topic === null) return this.nextTime();
    let next = Infinity;
    for (const timer of this.#pending) {
      if (timer.topic !== topic && timer.time < next) next = timer.time;
    }
    return next;
  }

  advanceTo(time: number): void {
    this.#queue.advanceTo(time);
  }

  /** In the order in which they were set, which is also the order of ties. */
  pending(): PlannedTimer[] {
    return [...this.#pending];
  }
}
