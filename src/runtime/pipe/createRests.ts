import type { Timers } from '../../env/index.ts';

/** Waits that end early when the bot does: one that has stopped must not keep its process for a query. */
export interface Rests {
  /** Resolves after so long, or at once where nothing is waited for any more. */
  rest(delayMs: number): Promise<void>;
  /** Ends all that go on. */
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
