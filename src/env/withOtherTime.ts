/** A day and some more, so that neither the date nor the minute nor the millisecond is the same. */
const SHIFT_MS = 112_345_679;

/**
 * Runs `work` while the process's own clock and randomness are others than they were: what depends on
 * them, and not on the ports that it was given, shows itself. Nothing else may run meanwhile.
 */
export async function withOtherTime<T>(work: () => Promise<T>): Promise<T> {
  const { Date: RealDate } = globalThis;
  const { random } = Math;
  class ShiftedDate extends RealDate {
    constructor(...parts: unknown[]) {
      if (parts.length === 0) super(RealDate.now() + SHIFT_MS);
      else super(...(parts as [number]));
    }

    static override now(): number {
      return RealDate.now() + SHIFT_MS;
    }
  }
  globalThis.Date = ShiftedDate as DateConstructor;
  Math.random = () => 1 - random();
  try {
    return await work();
  } finally {
    globalThis.Date = RealDate;
    Math.random = random;
  }
}
