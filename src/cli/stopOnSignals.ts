/** Conventional exit code of a process that a signal ended. */
export const INTERRUPTED = 130;

export interface Stop {
  isStopped(): boolean;
  stopped: Promise<void>;
  /** Asks as a signal would. */
  ask(): void;
}

export interface LaterStop extends Stop {
  /** From now on, signals ask. */
  listen(): void;
}

/** The first signal asks a command to end well; a second one ends the process. */
export function stopOnSignals(): Stop {
  const stop = createStop();
  stop.listen();
  return stop;
}

/**
 * A stop that does not listen yet. While files are read and unpacked there is nothing to end well, and no turn
 * of the event loop to notice a signal in: until `listen`, one ends the process by the system's own rule.
 */
export function createStop(): LaterStop {
  let asked = false;
  const { promise, resolve } = Promise.withResolvers<void>();
  const ask = (): void => {
    asked = true;
    resolve();
  };
  const listen = (): void => {
    // A terminal that is closed ends a bot as a person would.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (asked) process.exit(INTERRUPTED);
        ask();
      });
    }
  };
  return { isStopped: () => asked, stopped: promise, ask, listen };
}
