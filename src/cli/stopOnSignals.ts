/** Conventional exit code of a process that a signal ended. */
export const INTERRUPTED = 130;

export interface Stop {
  isStopped(): boolean;
  stopped: Promise<void>;
  /** Requests a stop like a signal. */
  ask(): void;
}

export interface LaterStop extends Stop {
  /** From now on, signals request a stop. */
  listen(): void;
}

/** The first signal asks a command to end cleanly; a second one ends the process. */
export function stopOnSignals(): Stop {
  const stop = createStop();
  stop.listen();
  return stop;
}

/**
 * A stop that does not handle signals yet. While files are read and unpacked there is nothing to end
 * cleanly, and no turn of the event loop in which to notice a signal: until `listen`, a signal ends the
 * process by the system's default.
 */
export function createStop(): LaterStop {
  let asked = false;
  const { promise, resolve } = Promise.withResolvers<void>();
  const ask = (): void => {
    asked = true;
    resolve();
  };
  const listen = (): void => {
    // A closed terminal ends a bot like Ctrl-C.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (asked) process.exit(INTERRUPTED);
        ask();
      });
    }
  };
  return { isStopped: () => asked, stopped: promise, ask, listen };
}
