import type { ClauseId } from './clauses.ts';
import { Difference } from './kit/Difference.ts';
import type { Stage } from './kit/Stage.ts';
import { Inconclusive } from './kit/Inconclusive.ts';

/**
 * What a check found; `differs` says what was expected, what came, and after which request, `mayCome`
 * that another stretch of the tape may decide it.
 */
export type Verdict =
  | { result: 'holds'; note?: string }
  | { result: 'differs'; expected: string; got: string; request: string }
  | { result: 'inconclusive'; why: string; mayCome?: true };

/** What a check takes from the service: reads only, refused or resting writes, or a driven replay. */
export type Needs = 'read' | 'write' | 'paper';

/** One claim of one clause, put to a service. */
export interface Check {
  clause: ClauseId;
  title: string;
  needs: Needs;
  /** Spends budgets that others need, and so runs after all else. */
  last?: boolean;
  run(stage: Stage): Promise<Verdict>;
}

type Body = (stage: Stage) => Promise<string | void>;

/**
 * Makes a check of steps that end at the first thing that isn't as it should be: a `Difference` or an
 * `Inconclusive` becomes a verdict; a text that is returned, a note. Anything else that is thrown, as by a
 * connection that broke, leaves the clause inconclusive.
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
          // A check read a field of something that isn't there.
          const expected = 'an answer with the fields of the contract';
          const request = stage.trace.describe();
          return { result: 'differs', expected, got: thrown.message, request };
        }
        return { result: 'inconclusive', why: `The check broke: ${String(thrown)}` };
      }
    },
  };
}

/** A check that runs after all others, since it spends what they need. */
export const lastly = (given: Check): Check => ({ ...given, last: true });
