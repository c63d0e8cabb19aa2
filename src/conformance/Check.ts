import type { ClauseId } from './clauses.ts';
import { Difference } from './kit/Difference.ts';
import type { Stage } from './kit/Stage.ts';
import { Inconclusive } from './kit/Inconclusive.ts';

/**
 * The verdict of a check; `differs` has what was expected, what came, and after which request; `mayCome`
 * means that a later part of the tape may decide it.
 */
export type Verdict =
  | { result: 'holds'; note?: string }
  | { result: 'differs'; expected: string; got: string; request: string }
  | { result: 'inconclusive'; why: string; mayCome?: true };

/** What a check needs from the service: reads only, refused or resting writes, or a driven replay. */
export type Needs = 'read' | 'write' | 'paper';

/** One claim of one clause. */
export interface Claim {
  clause: ClauseId;
  title: string;
  needs: Needs;
  /** Spends budgets that others need, so it runs after all others. */
  last?: boolean;
}

/** A claim that is tested against a service. */
export interface Check extends Claim {
  run(stage: Stage): Promise<Verdict>;
}

type Body = (stage: Stage) => Promise<string | void>;

/**
 * Builds a check from steps that end at the first deviation: a `Difference` or an `Inconclusive` becomes
 * a verdict, a returned string becomes a note. Any other exception, such as a broken connection, leaves
 * the clause inconclusive.
 */
export function check(clause: ClauseId, needs: Needs, title: string, body: Body): Check {
  return {
    clause,
    needs,
    title,
    async run(stage) {
      try {
        const note = await body(stage);
        return note === undefined ? { result: 'holds' } : { result: 'holds', note };
      } catch (thrown) {
        if (thrown instanceof Difference) {
          const { expected, got } = thrown;
          return { result: 'differs', expected, got, request: stage.trace.describe() };
        }
        if (thrown instanceof Inconclusive) {
          const { message: why, mayCome } = thrown;
          return { result: 'inconclusive', why, ...(mayCome ? { mayCome } : {}) };
        }
        if (thrown instanceof TypeError) {
          // A check read a field of a missing value.
          const expected = 'an answer with the fields of the contract';
          const request = stage.trace.describe();
          return { result: 'differs', expected, got: thrown.message, request };
        }
        return { result: 'inconclusive', why: `The check broke: ${String(thrown)}` };
      }
    },
  };
}

/** A check that runs after all others, because it spends what they need. */
export const lastly = (given: Check): Check => ({ ...given, last: true });
