/** Weight spent within the last `windowMs`, by time of spending; amortized constant work per call. */
export interface Window {
  spend(time: number, weight: number): void;
  used(time: number): number;
  /** Earliest time at which at most `limit` is used, without further spending. */
  timeWhenUsedAtMost(limit: number, time: number): number;
}

/**
 * A sliding window. The service's own window may be fixed or sliding (undocumented): what fits into a sliding
 * one fits into both.
 */
export function createWindow(windowMs: number): Window {
  let spent: Array<{ time: number; weight: number }> = [];
  let head = 0;
  let total = 0;

  const expire = (time: number): void => {
    for (let first = spent[head]; first !== undefined; first = spent[++head]) {
      if (first.time + windowMs > time) break;
      total -= first.weight;
    }
    if (head > 1_024 && head * 2 > spent.length) {
      spent = spent.slice(head);
      head = 0;
    }
  };

  return {
    spend(time, weight) {
      if (weight === 0) return;
      // A caller that spends may never query; expired entries must not accumulate.
      expire(time);
      spent.push({ time, weight });
      total += weight;
    },
    used(time) {
      expire(time);
      return total;
    },
    timeWhenUsedAtMost(limit, time) {
      expire(time);
      let left = total;
      for (let index = head; left > limit && index < spent.length; index++) {
        const entry = spent[index]!;
        left -= entry.weight;
        if (left <= limit) return entry.time + windowMs;
      }
      return time;
    },
  };
}
