import type { Travel } from './Travel.ts';

type Items = ReadonlyArray<{ time: number }>;

/** Index of the last item whose time is not after `time`; −1 if there is none. Items ascend by time. */
export function lastUntil(items: Items, time: number): number {
  let [from, to] = [0, items.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (items[middle]!.time <= time) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}

/** Times of the items before and after a time; null if there is none. */
export function timesAround(items: Items, time: number): ReturnType<Travel['around']> {
  const before = items[lastUntil(items, time - 1)];
  const after = items[lastUntil(items, time) + 1];
  return { before: before?.time ?? null, after: after?.time ?? null };
}
