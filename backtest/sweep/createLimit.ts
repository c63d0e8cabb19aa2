/** Runs so many at the same time; the others wait, in the order of their calls. */
export type Limit = <T>(run: () => Promise<T>) => Promise<T>;

export function createLimit(count: number): Limit {
  const waiting: Array<() => void> = [];
  let free = count;
  return async (run) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    }
  };
}
