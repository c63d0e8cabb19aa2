/** Index of the last item whose time is not after `time`; −1 if there is none. Items ascend by time. */
export function lastUntil(items: ReadonlyArray<{ time: number }>, time: number): number {
  let [from, to] = [0, items.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (items[middle]!.time <= time) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}
