import type { Clock } from '../../env/index.ts';
import { endsById } from '../../outcomes/index.ts';
import type { Emission } from '../../strategy/Emission.ts';
import { isUnknown } from './stations.ts';
import type { Approved, Sent } from './stations.ts';

export interface ResendRuleOptions {
  env: { clock: Pick<Clock, 'monotonicNow'> };
  /** Why what would add exposure was decided too long ago. */
  explainTooOld(emission: Emission): string | undefined;
  /** Why what a kill level or a stop asked for may not be sent: it is not in force any more. */
  explainLifted(emission: Emission): string | undefined;
  /** The intent's `not_after` has passed; what may have been sent is reconciled all the same. */
  isPastEnd(item: Approved): boolean;
  /** Name of the key that signs now. */
  keyInUse(): string;
  /** A kill level is in force: what may have been sent is not sent again if it adds exposure. */
  isKilled(): boolean;
  /** An operator has paused the instance; the same goes for what it may have sent. */
  isPaused(instance: string): boolean;
  /**
   * It runs here, or may again: the operator, or a strategy of the configuration that has not ended for this process by
   * a fault of its own.
   */
  mayRun(instance: string): boolean;
}

/** Whether what may have been sent may be sent again: the same key and the same bytes (AUTH-6). */
export interface ResendRule {
  /**
   * Why it may only be queried: a late resend would execute an outdated decision, and an entry would be new
   * exposure. Undefined for what was certainly not sent.
   */
  resendRefusal(item: Approved): string | undefined;
  /** The resend period has ended for this process. */
  isTried(item: Sent): boolean;
}

/**
 * The same key and bytes are sent for this long since the first attempt (reliability: the outcome table), by
 * whichever process made it: an exit is not given up after a few seconds of trouble, and nothing is done for an
 * outdated reason. What ends one thing by its id has this long in each process. What was never sent outlives its
 * process for as long.
 */
export const RESEND_MS = 600_000;

/** Nobody would steer what it opens. */
export const WITHOUT_STRATEGY = 'its strategy no longer runs';

export function createResendRule(options: ResendRuleOptions): ResendRule {
  const { env } = options;

  /** How long this process has gone without an answer. */
  function triedMs({ unknownSince }: Sent): number {
    return unknownSince === undefined ? 0 : env.clock.monotonicNow() - unknownSince;
  }

  return {
    resendRefusal(item) {
      if (!isUnknown(item)) return undefined;
      // A service may retain idempotency keys by API key: under another one the same bytes could count twice.
      const isOther = item.signedBy !== undefined && item.signedBy !== options.keyInUse();
      const mayRepeat = item.opens || item.request.endpoint === 'executions.launch';
      if (isOther && mayRepeat) return 'another API key sent it';
      const isOld = triedMs(item) + (item.sentBeforeMs ?? 0) >= RESEND_MS;
      const canEndOnly = endsById(item.request.endpoint);
      if (isOld && !canEndOnly) return 'it was sent too long ago';
      const lifted = options.explainLifted(item.emission);
      if (lifted !== undefined && !canEndOnly) return lifted;
      if (!item.opens) return undefined;
      if (options.isKilled()) return 'a kill level is in force';
      if (!options.mayRun(item.emission.instance)) return WITHOUT_STRATEGY;
      // The key prevents a duplicate, but not a first acceptance.
      if (options.isPaused(item.emission.instance)) return 'its strategy is paused';
      if (options.isPastEnd(item)) return 'not_after has passed';
      return options.explainTooOld(item.emission);
    },
    isTried: (item) => triedMs(item) >= RESEND_MS,
  };
}
