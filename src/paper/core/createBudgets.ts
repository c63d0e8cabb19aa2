import type { Dialect, RateLimitsRecord } from '../../contract/index.ts';
import { ServiceError } from './ServiceError.ts';
import type { ApiKey } from './createKeyring.ts';
import { createWeightWindow, type WeightWindow } from './createWeightWindow.ts';

/** The rate budgets: one per key, and the venue's, which all keys share (LIM-1, MKT-5). */
export interface Budgets {
  /**
   * Charges a call and returns its weight. A call that is refused costs nothing, so that
   * `retry_after_seconds` stays correct.
   *
   * @throws ServiceError `rate_limited` with `bucket_exceeded` and `retry_after_seconds` (LIM-2)
   */
  charge(key: ApiKey, weight: number): number;
  /**
   * Charges a market read to the venue, or refuses it before the venue's budget is spent (MKT-5).
   *
   * @throws ServiceError `rate_limited`, `bucket_exceeded: read_headroom_gate`
   */
  chargeVenueRead(weight: number): void;
  /** Charges without a check: an idempotent replay never returns 429. */
  chargeAlways(key: ApiKey, weight: number): number;
  /** Writes at the venue continue while reads are refused, so they are never refused here. */
  chargeVenueWrites(count: number): void;
  remaining(key: ApiKey): number;
  report(key: ApiKey): RateLimitsRecord;
}

/** @param now the budgets' clock: wall time, or the replay's (conventions, *Two clocks*) */
export function createBudgets(options: {
  dialect: Dialect['budget'];
  limits: 'on' | 'off';
  now: () => number;
}): Budgets {
  const { dialect, now } = options;
  const off = options.limits === 'off';
  const venue = createWeightWindow('sliding', dialect.windowMs);
  const gate = dialect.venue * dialect.readGate;
  const windows = new Map<string, WeightWindow>();

  const windowOf = (key: ApiKey): WeightWindow => {
    let window = windows.get(key.keyId);
    if (window === undefined) {
      window = createWeightWindow(dialect.window, dialect.windowMs);
      windows.set(key.keyId, window);
    }
    return window;
  };
  const budgetOf = (key: ApiKey): number => dialect[key.tier];
  const remaining = (key: ApiKey): number => Math.max(0, budgetOf(key) - windowOf(key).used(now()));

  return {
    charge(key, weight) {
      if (off) return weight;
      const time = now();
      const window = windowOf(key);
      const room = budgetOf(key) - weight;
      if (window.used(time) > room) refuse('key_minute', window.waitUntil(time, room));
      window.charge(time, weight);
      return weight;
    },
    chargeVenueRead(weight) {
      if (off || weight === 0) return;
      const time = now();
      // Reads are refused from the gate on, so the wait ends slightly below the gate.
      if (venue.used(time) >= gate) {
        refuse('read_headroom_gate', venue.waitUntil(time, gate * (1 - Number.EPSILON)));
      }
      venue.charge(time, weight);
    },
    chargeAlways(key, weight) {
      if (!off) windowOf(key).charge(now(), weight);
      return weight;
    },
    chargeVenueWrites(count) {
      if (!off) venue.charge(now(), count);
    },
    remaining,
    report(key) {
      const time = now();
      const window = windowOf(key);
      return {
        tier: key.tier,
        window: dialect.window,
        budget: budgetOf(key),
        used: window.used(time),
        remaining: remaining(key),
        resets_at: window.resetsAt(time),
        venue: { budget: dialect.venue, used: venue.used(time), gate },
      };
    },
  };
}

function refuse(bucket: 'key_minute' | 'read_headroom_gate', waitMs: number): never {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  throw new ServiceError('rate_limited', {
    message:
      bucket === 'key_minute'
        ? `The key's budget is spent; try again in ${seconds} s.`
        : `Market-data reads are paused so that executions keep headroom; try again in ${seconds} s.`,
    details: { bucket_exceeded: bucket, retry_after_seconds: seconds },
  });
}
