import type { BudgetLedger, LedgerTurn } from '../../src/budget/index.ts';
import { emptyLedger, leave, takeTurn } from '../../src/budget/takeTurn.ts';
import type { VirtualEnv } from '../../src/env/index.ts';

/** The ledger's rules in virtual time, over a connection that can be cut. */
export function createTestLedger(env: VirtualEnv) {
  const state = emptyLedger();
  let answerMs = 0;
  let isAway = false;
  const now = () => env.queue.now();
  const at = (member: string): BudgetLedger => ({
    async turn(turn: LedgerTurn) {
      if (isAway) throw new Error('the ledger is away');
      const answer = structuredClone(takeTurn(state, member, turn, now()));
      const { promise, resolve } = Promise.withResolvers<void>();
      if (answerMs > 0) env.queue.at(now() + answerMs, resolve);
      else resolve();
      await promise;
      return answer;
    },
    async close(last) {
      if (!isAway) leave(state, member, last, now());
    },
  });
  return {
    at,
    cut: () => (isAway = true),
    mend: () => (isAway = false),
    /** Answers are delayed, as from another host. */
    delay: (ms: number) => (answerMs = ms),
  };
}
