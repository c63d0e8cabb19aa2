/**
 * Runs tasks at the end of the event loop's turn in which they came: all of them together, in their order; what
 * a task adds comes behind all others, in the same run. A task must not throw.
 *
 * A server that reads all that has arrived, then works, then answers stays in the processor's caches; and a
 * sleeping client is woken by the first answer only, instead of once for each.
 */
export function createTurnEnd(): (run: () => void) => void {
  let waiting: Array<() => void> = [];
  const runAll = (): void => {
    // The loop also reaches what is added while it runs.
    for (const run of waiting) run();
    waiting = [];
  };
  return (run) => {
    if (waiting.push(run) === 1) setImmediate(runAll);
  };
}
