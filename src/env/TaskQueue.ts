import type { Cancel, MarketClock } from './Clock.ts';

interface Task {
  time: number;
  order: number;
  run: (() => void) | null;
}

const before = (a: Task, b: Task): boolean =>
  a.time < b.time || (a.time === b.time && a.order < b.order);

/**
 * Virtual time: a binary heap of tasks that run as the time advances. Tasks of equal time run in the order they
 * were scheduled; while a task runs, `now()` is its time.
 */
export class TaskQueue implements MarketClock {
  #now: number;
  #order = 0;
  /** No task is due before this; cancelled tasks may make it too early. */
  #quietUntil = Infinity;
  readonly #heap: Task[] = [];

  constructor(startTime: number) {
    this.#now = startTime;
  }

  now(): number {
    return this.#now;
  }

  at(time: number, run: () => void): Cancel {
    const task: Task = { time: Math.max(time, this.#now), order: this.#order++, run };
    this.#push(task);
    return () => {
      task.run = null;
    };
  }

  /** Tasks scheduled so far: it changes whenever one is. */
  get scheduled(): number {
    return this.#order;
  }

  /** Time of the next task that is not cancelled, or undefined. */
  nextTime(): number | undefined {
    while (this.#heap[0]?.run === null) this.#pop();
    return this.#heap[0]?.time;
  }

  /** Runs every task due until `time`, then sets `now()` to `time`. Time never goes back. */
  advanceTo(time: number): void {
    if (time >= this.#quietUntil) this.#runUntil(time);
    if (time > this.#now) this.#now = time;
  }

  #runUntil(time: number): void {
    for (let next = this.nextTime(); next !== undefined && next <= time; next = this.nextTime()) {
      const task = this.#pop();
      this.#now = Math.max(this.#now, next);
      task?.run?.();
    }
    this.#quietUntil = this.nextTime() ?? Infinity;
  }

  #push(task: Task): void {
    if (task.time < this.#quietUntil) this.#quietUntil = task.time;
    const heap = this.#heap;
    let index = heap.push(task) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (before(heap[parent]!, task)) break;
      heap[index] = heap[parent]!;
      index = parent;
    }
    heap[index] = task;
  }

  #pop(): Task | undefined {
    const heap = this.#heap;
    const top = heap[0];
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return top;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child++;
      if (before(last, heap[child]!)) break;
      heap[index] = heap[child]!;
      index = child;
    }
    heap[index] = last;
    return top;
  }
}
