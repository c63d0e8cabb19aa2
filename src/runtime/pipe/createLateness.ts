import type { Emission } from '../../strategy/Emission.ts';
import type { TooLate } from './createConclusions.ts';
import type { PipeOptions } from './Pipe.ts';
import type { PipeItem, SendItem } from './PipeItem.ts';

export type LatenessOptions = Pick<PipeOptions, 'market' | 'entryRefusal' | 'explainTooOld'>;

const DECISION_AGE = 'max_decision_age_seconds';

/** Why what was approved some time ago may not be sent any more. */
export function createLateness({ market, entryRefusal, explainTooOld }: LatenessOptions) {
  const isPastEnd = ({ emission: { intent } }: { emission: Emission }): boolean =>
    intent.not_after !== undefined && market.now() > intent.not_after;
  return {
    /** The intent's `not_after` has passed. */
    isPastEnd: (item: PipeItem): boolean => isPastEnd(item),
    /** Undefined if it is in time; what may have been sent is reconciled instead. */
    explainTooLate(item: SendItem): TooLate | undefined {
      if (item.unknownSince !== undefined) return undefined;
      if (isPastEnd(item)) return { reason: 'not_after has passed' };
      if (!item.opens) return undefined;
      const reason = entryRefusal(item.emission);
      if (reason !== undefined) return { reason };
      const tooOld = explainTooOld(item.emission);
      return tooOld === undefined ? undefined : { reason: tooOld, guard: DECISION_AGE };
    },
  };
}
