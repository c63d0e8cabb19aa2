/** Weight spent within a minute. All times are epoch milliseconds of the budget's clock. */
export interface WeightWindow {
  used(now: number): number;
  charge(now: number, weight: number): void;
  /** Milliseconds until at most `allowed` is in use, if nothing more is charged. */
  waitUntil(now: number, allowed: number): number;
  /** When all charges so far have expired. */
  resetsAt(now: number): number;
}

/** `sliding`: the last `windowMs`; `fixed`: the clock minute, all at once (LIM-1). */
export function createWeightWindow(kind: 'sliding' | 'fixed', windowMs: number): WeightWindow {
  return kind === 'sliding' ? createSlidingWindow(windowMs) : createFixedWindow(windowMs);
}

function createSlidingWindow(windowMs: number): WeightWindow {
  let charges: Array<{ time: number; weight: number }> = [];
  let head = 0;
  let sum = 0;
  const expire = (now: number): void => {
    for (let first = charges[head]; first !== undefined; first = charges[head]) {
      if (first.time + windowMs > now) break;
      sum -= first.weight;
      head++;
    }
    if (head > 1_024 && head * 2 > charges.length) {
      charges = charges.slice(head);
      head = 0;
    }
  };
  return {
    used(now) {
      expire(now);
      return sum;
    },
    charge(now, weight) {
      expire(now);
      const last = charges.at(-1);
      sum += weight;
      // A clock that stepped back must not break the order on which `expire` relies.
      const time = Math.max(now, last?.time ?? now);
      if (last !== undefined && last.time === time && charges.length > head) last.weight += weight;
      else charges.push({ time, weight });
    },
    waitUntil(now, allowed) {
      expire(now);
      let left = sum;
      for (let index = head; left > allowed && index < charges.length; index++) {
        const charge = charges[index]!;
        left -= charge.weight;
        if (left <= allowed) return charge.time + windowMs - now;
      }
      return left <= allowed ? 0 : windowMs;
    },
    resetsAt(now) {
      expire(now);
      return charges.length > head ? charges.at(-1)!.time + windowMs : now;
    },
  };
}

function createFixedWindow(windowMs: number): WeightWindow {
  let start = 0;
  let sum = 0;
  /** A clock that stepped back keeps the later window, and what was charged in it. */
  const turn = (now: number): void => {
    const current = Math.floor(now / windowMs) * windowMs;
    if (current > start) [start, sum] = [current, 0];
  };
  return {
    used(now) {
      turn(now);
      return sum;
    },
    charge(now, weight) {
      turn(now);
      sum += weight;
    },
    waitUntil(now, allowed) {
      turn(now);
      return sum <= allowed ? 0 : start + windowMs - now;
    },
    resetsAt(now) {
      turn(now);
      return start + windowMs;
    },
  };
}
