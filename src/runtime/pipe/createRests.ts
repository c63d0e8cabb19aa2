import type { Timers } from '../../env/index.ts';

/** Waits that end early when the bot stops, so that a pending query does not keep the process alive. */
export interface Rests {
  /** Resolves after this time, or at once if waiting has been cancelled. */
  rest(delayMs: number): Promise<void>;
  /** Ends all pending waits. */
  close(): void;
}

export function createRests(timers: Timers, isClosed: () => boolean): Rests {
  const wakes = new Set<() => void>();
  return {
    rest(delayMs) {
      if (isClosed()) return Promise.resolve();
      const { promise, resolve } = Promise.withResolvers<void>();
      const wake = (): void => {
        wakes.delete(wake);
        cancel();
        resolve();
      };
      const cancel = timers.after(delayMs, wake);
      wakes.add(wake);
      return promise;
    },
    close() {
      for (const wake of wakes) wake();
    },
  };
}
