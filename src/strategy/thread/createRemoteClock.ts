import type { MarketClock } from '../../env/index.ts';

export interface RemoteClock {
  clock: MarketClock;
  /** Market time of the last message. */
  set(now: number): void;
  /** Runs a task that is due. */
  run(task: number, isLate: boolean): void;
}

/** Market time in a thread: constant during a turn, with tasks scheduled on the bot's side. */
export function createRemoteClock(
  start: number,
  ports: { at(task: number, time: number): void; cancel(task: number): void },
): RemoteClock {
  const tasks = new Map<number, (isLate?: boolean) => void>();
  let now = start;
  let last = 0;
  return {
    clock: {
      now: () => now,
      at(time, run) {
        const task = ++last;
        tasks.set(task, run);
        ports.at(task, time);
        return () => {
          if (tasks.delete(task)) ports.cancel(task);
        };
      },
    },
    set(time) {
      now = time;
    },
    run(task, isLate) {
      const run = tasks.get(task);
      tasks.delete(task);
      run?.(isLate);
    },
  };
}
