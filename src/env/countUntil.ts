/** Number of these ascending times that are not after an instant. */
export function countUntil(times: ArrayLike<number>, instant: number): number {
  let [from, to] = [0, times.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (times[middle]! <= instant) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Number of these ascending times that are before an instant. */
export function countBefore(times: ArrayLike<number>, instant: number): number {
  let [from, to] = [0, times.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (times[middle]! < instant) from = middle + 1;
    else to = middle;
  }
  return from;
}
