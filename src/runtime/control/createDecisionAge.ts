import type { Link } from '../../env/index.ts';
import { decisionAge, type GuardLimits } from '../../guards/index.ts';
import type { Emission } from '../../strategy/index.ts';
import { causeOf } from './causeOf.ts';

/** How old decisions are, for a bot on this link. */
export function createDecisionAge(link: Link, limits: GuardLimits) {
  const ageOf = decisionAge(limits);
  const present = (): number => link.present?.() ?? link.market.now();
  return {
    /** Market time as far as it is known, epoch milliseconds. */
    present,
    /** Why what would add exposure was decided too long ago; undefined if it was not. */
    explainTooOld(emission: Emission): string | undefined {
      const cause = causeOf(emission);
      return cause && ageOf(cause, present())?.reason;
    },
  };
}
