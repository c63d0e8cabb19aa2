/**
 * Merges equal reads: callers that ask while one is in flight share the next one, because an answer proves
 * nothing about what happened after its request. A failure is the failure of all.
 *
 * @param nameOf equal for reads that ask the same
 */
export function shareReads<Asked, Answer>(
  nameOf: (asked: Asked) => string,
  read: (asked: Asked) => Promise<Answer>,
): (asked: Asked) => Promise<Answer> {
  const running = new Map<string, Promise<Answer>>();
  const waiting = new Map<string, Promise<Answer>>();

  function start(name: string, asked: Asked): Promise<Answer> {
    waiting.delete(name);
    const started = read(asked).finally(() => {
      if (running.get(name) === started) running.delete(name);
    });
    running.set(name, started);
    return started;
  }

  return (asked) => {
    const name = nameOf(asked);
    const former = running.get(name);
    if (former === undefined) return start(name, asked);
    const begin = (): Promise<Answer> => start(name, asked);
    const next = waiting.get(name) ?? former.then(begin, begin);
    waiting.set(name, next);
    return next;
  };
}
