/** SIGINT was two times: the conventional exit code of a process that a signal ended. */
const INTERRUPTED = 130;

/** The first SIGINT or SIGTERM asks a command to end well; a second one ends the process. */
export function stopOnSignals(): { isStopped(): boolean; stopped: Promise<void> } {
  let asked = false;
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (asked) process.exit(INTERRUPTED);
      asked = true;
      resolve();
    });
  }
  return { isStopped: () => asked, stopped: promise };
}
