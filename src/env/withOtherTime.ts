/** A day and some more, so that date, minute and millisecond all differ. */
const SHIFT_MS = 112_345_679;

/**
 * Runs `work` with a different process clock and randomness, which exposes code that uses them instead of the
 * ports that it was given. Nothing else may run meanwhile.
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
