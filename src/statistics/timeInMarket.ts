/** When a position was held; `exit_time` is null while it is. */
export interface Held {
  entry_time: number;
  exit_time: number | null;
}

/** Share of a span in which at least one position was held, 0 to 1. */
export function timeInMarket(
  positions: readonly Held[],
  { from, until }: { from: number; until: number },
): number {
  let [held, reached] = [0, from];
  for (const { entry_time, exit_time } of positions.toSorted(
    (a, b) => a.entry_time - b.entry_time,
  )) {
    const start = Math.max(reached, entry_time);
    const end = Math.min(until, exit_time ?? until);
    if (end <= start) continue;
    held += end - start;
    reached = end;
  }
  return until > from ? held / (until - from) : 0;
}
