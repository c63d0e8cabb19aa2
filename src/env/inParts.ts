import type { Cancel, Timers } from './Clock.ts';

/** The machine's timers hold at most 2^31 − 1 ms, and run at once whatever is longer. */
const LONGEST_WAIT_MS = 2_000_000_000;

/**
 * Timers that wait as long as they are asked to; a wait that is longer than the given ones hold is split. One that is
 * over already runs at once: Node would write a warning about it among the bot's lines.
 */
export function inParts(after: Timers['after']): Timers['after'] {
  return (delayMs, run) => {
    let cancel: Cancel = () => {};
    const wait = (leftMs: number): void => {
      cancel =
        leftMs > LONGEST_WAIT_MS
          ? after(LONGEST_WAIT_MS, () => wait(leftMs - LONGEST_WAIT_MS))
          : after(leftMs, run);
    };
    wait(delayMs < 0 ? 0 : delayMs);
    return () => cancel();
  };
}
