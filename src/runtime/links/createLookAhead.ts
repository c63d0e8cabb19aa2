import type { StreamFrame } from '../../contract/index.ts';
import type { Cancel, Env } from '../../env/index.ts';

/**
 * If frames are the only clock, a frame that waited on the line looks as new as one that did not. So after a
 * silence all waiting frames are read before the first is delivered: then it is known how late each of them is.
 */
export interface LookAhead {
  take(frame: StreamFrame): void;
  /** The connection ended: the age of what is left of it is unknown, and a new one begins with snapshots. */
  lost(): void;
  /** Market time as far as it is known, epoch milliseconds; undefined before the first frame. */
  present(): number | undefined;
}

/** A shorter silence is no outage. */
const SILENCE_MS = 1_000;
/** If nothing follows for this long, all that waited has been read. */
const QUIET_MS = 20;
/** A line that is never quiet has long delivered what waited. */
const LONGEST_MS = 500;
/**
 * A frame that was late itself, as a restated fill under its old time, says nothing of the present; if all are older
 * for this long, the service's clock was set back.
 */
const SET_BACK_MS = 90_000;

/** @param holds whether frames are held after a silence; not needed if the wall clock gives the time */
export function createLookAhead(
  env: Pick<Env, 'clock' | 'timers'>,
  deliver: (frame: StreamFrame) => void,
  { holds }: { holds: boolean },
): LookAhead {
  const { clock, timers } = env;
  let held: StreamFrame[] = [];
  let newest: { ts: number; at: number } | undefined;
  let heardAt = 0;
  /** Since when every frame was older than the newest, monotonic. */
  let olderSince: number | undefined;
  /** The connection is new, so nothing can have waited on it. */
  let isFresh = true;
  let heldSince = 0;
  let cancel: Cancel = () => {};

  function release(): void {
    cancel();
    const waiting = held;
    held = [];
    for (const frame of waiting) deliver(frame);
  }

  function learn(ts: number, now: number): void {
    const isOlder = newest !== undefined && ts < newest.ts;
    if (isOlder) olderSince ??= now;
    if (isOlder && now - olderSince! < SET_BACK_MS) return;
    olderSince = undefined;
    newest = { ts, at: now };
  }

  return {
    take(frame) {
      const now = clock.monotonicNow();
      const isSilent = !isFresh && now - heardAt >= SILENCE_MS;
      isFresh = false;
      heardAt = now;
      learn(frame.ts, now);
      if (!holds || (held.length === 0 && !isSilent)) return deliver(frame);
      if (held.length === 0) heldSince = now;
      held.push(frame);
      cancel();
      if (now - heldSince >= LONGEST_MS) release();
      else cancel = timers.after(QUIET_MS, release);
    },
    lost() {
      cancel();
      held = [];
      isFresh = true;
    },
    // A replay may run faster than the wall clock, which its own frames show; never slower, until it is paused.
    present: () => newest && newest.ts + (clock.monotonicNow() - newest.at),
  };
}
