/**
 * Runs tasks when the turn of the event loop ends in which they came: all of them together, in their
 * order; what a task adds comes behind all others, in the same go. A task must not throw.
 *
 * A server that reads all that has arrived, then works, then answers stays in the processor's caches;
 * and a client that sleeps is woken by the first answer only, instead of once for each.
 */
export function createTurnEnd(): (run: () => void) => void {
  let waiting: Array<() => void> = [];
  const runAll = (): void => {
    // The loop also meets what is added while it goes on.
    for (const run of waiting) run();
    waiting = [];
  };
  return (run) => {
    if (waiting.push(run) === 1) setImmediate(runAll);
  };
}
