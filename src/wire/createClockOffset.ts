/** One reading of the service's clock, in epoch milliseconds of the local wall clock unless noted otherwise. */
export interface ClockSample {
  /** Epoch milliseconds by the service. */
  serverTime: number;
  /** Its resolution: 1000 for a `Date` header, 1 for `server_time`. */
  resolutionMs: number;
  sentAt: number;
  receivedAt: number;
  /** The service refused the request for its timestamp, so that a clock that was stepped is no guess; default no. */
  isTimeRefused?: boolean;
}

/** The estimate of server time − wall time. */
export interface ClockOffset {
  /** Milliseconds; 0 as long as the readings allow it. */
  offsetMs(): number;
  learn(sample: ClockSample): void;
}

const MOST_SAMPLES = 16;

interface Bounds {
  low: number;
  high: number;
}

/**
 * Each answer bounds the offset: the service read its clock after the request was sent and before the answer
 * was received. The bounds of the last answers are intersected; if they contradict each other a clock was
 * stepped, and only the newest count: two that agree, since one alone may be of a machine whose clock is wrong, or one
 * with which the service refused the time of a request.
 *
 * ```ts
 * const offset = createClockOffset();
 * offset.learn({ serverTime: 5_000, resolutionMs: 1, sentAt: 1_000, receivedAt: 1_020 });
 * offset.offsetMs() > 3_900; // => true
 * ```
 */
export function createClockOffset(): ClockOffset {
  let samples: Bounds[] = [];
  /** Contradicts the others, and the next reading decides. */
  let doubted: Bounds | undefined;
  let offset = 0;
  return {
    offsetMs: () => offset,
    learn({ serverTime, resolutionMs, sentAt, receivedAt, isTimeRefused = false }) {
      if (!Number.isFinite(serverTime) || receivedAt < sentAt) return;
      const newest = { low: serverTime - receivedAt, high: serverTime + resolutionMs - sentAt };
      const since = doubted === undefined ? [newest] : [doubted, newest];
      const all = [...samples.slice(1 - MOST_SAMPLES), newest];
      doubted = undefined;
      if (!isEmpty(intersect(all))) samples = all;
      else if (isTimeRefused) samples = [newest];
      else if (since.length > 1 && !isEmpty(intersect(since))) samples = since;
      else doubted = newest;
      offset = nearestToZero(intersect(samples));
    },
  };
}

function intersect(bounds: readonly Bounds[]): Bounds {
  return {
    low: Math.max(...bounds.map((bound) => bound.low)),
    high: Math.min(...bounds.map((bound) => bound.high)),
  };
}

const isEmpty = ({ low, high }: Bounds): boolean => low > high;

const nearestToZero = ({ low, high }: Bounds): number =>
  low <= 0 && high >= 0 ? 0 : (low + high) / 2;
