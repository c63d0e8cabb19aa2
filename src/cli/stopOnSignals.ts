/** Conventional exit code of a process that a signal ended. */
export const INTERRUPTED = 130;

export interface Stop {
  isStopped(): boolean;
  stopped: Promise<void>;
  /** Asks as a signal would. */
  ask(): void;
}

/** The first signal asks a command to end well; a second one ends the process. */
export function stopOnSignals(): Stop {
  let asked = false;
  const { promise, resolve } = Promise.withResolvers<void>();
  const ask = (): void => {
    asked = true;
    resolve();
  };
  // A terminal that is closed ends a bot as a person would.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (asked) process.exit(INTERRUPTED);
      ask();
    });
  }
  return { isStopped: () => asked, stopped: promise, ask };
}
