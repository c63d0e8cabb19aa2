import { TaskQueue, type Cancel } from '../../env/index.ts';
import type { TimerTopic } from './TimerTopic.ts';

/** A timer as plain data: it can be saved and set anew. */
export interface PlannedTimer {
  time: number;
  topic: TimerTopic;
  wallet: string;
  id: string;
}

/** The engine's timers: a task queue that knows what each of its tasks is for. */
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

  /** Infinity where none is set. */
  nextTime(): number {
    return this.#queue.nextTime() ?? Infinity;
  }

  advanceTo(time: number): void {
    this.#queue.advanceTo(time);
  }

  /** In the order in which they were set, which is the order in which ties run. */
  pending(): PlannedTimer[] {
    return [...this.#pending];
  }
}
