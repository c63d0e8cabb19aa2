import type { Emission } from '../../strategy/Emission.ts';
import type { TooLate } from './createConclusions.ts';
import type { PipeOptions } from './Pipe.ts';
import type { PipeItem, SendItem } from './PipeItem.ts';
import { WITHOUT_STRATEGY } from './createResendRule.ts';

export type LatenessOptions = Pick<
  PipeOptions,
  'market' | 'present' | 'entryRefusal' | 'explainTooOld' | 'explainLifted' | 'mayRun'
>;

const DECISION_AGE = 'max_decision_age_seconds';

/** Why what was approved some time ago may not be sent any more. */
export function createLateness(options: LatenessOptions) {
  const { market, present, entryRefusal, explainTooOld, explainLifted, mayRun } = options;
  /** By the latest time that is known for what opens: after a step of the machine's clock market time may be behind. */
  const isPastEnd = ({ emission, opens }: { emission: Emission; opens?: boolean }): boolean => {
    const { not_after: end } = emission.intent;
    return end !== undefined && (opens === true ? present() : market.now()) > end;
  };
  return {
    /** The intent's `not_after` has passed. */
    isPastEnd: (item: PipeItem): boolean => isPastEnd(item),
    /** Undefined if it is in time; what may have been sent is reconciled instead. */
    explainTooLate(item: SendItem): TooLate | undefined {
      if (item.unknownSince !== undefined) return undefined;
      if (isPastEnd(item)) return { reason: 'not_after has passed' };
      const lifted = explainLifted(item.emission);
      if (lifted !== undefined) return { reason: lifted };
      if (!item.opens) return undefined;
      if (!mayRun(item.emission.instance)) return { reason: WITHOUT_STRATEGY };
      const reason = entryRefusal(item.emission, item.enters);
      if (reason !== undefined) return { reason };
      const tooOld = explainTooOld(item.emission);
      return tooOld === undefined ? undefined : { reason: tooOld, guard: DECISION_AGE };
    },
  };
}
