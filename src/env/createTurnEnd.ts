/**
 * Runs tasks when the turn of the event loop ends in which they came: all of them together, in their
 * order. A task must not throw.
 *
 * Answers to requests that came at the same time then leave in one go. A client that sleeps is woken
 * by the first of them only; waking it for each costs a server as much as all its other work.
 */
export function createTurnEnd(): (run: () => void) => void {
  let waiting: Array<() => void> = [];
  const runAll = (): void => {
    const due = waiting;
    waiting = [];
    for (const run of due) run();
  };
  return (run) => {
    if (waiting.push(run) === 1) setImmediate(runAll);
  };
}
