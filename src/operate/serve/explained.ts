import type { IntentLife } from '../../journal/index.ts';
import { intentOf } from '../journal/formatIntents.ts';
import { explainLife } from '../journal/index.ts';

/** An intent's life, and what `trimtab journal explain` says of it. */
export function explained(life: IntentLife) {
  const { intent, entries } = life;
  return {
    key: intent.key,
    strategy: intent.instance,
    wallet: intent.wallet,
    kind: intent.kind,
    state: intent.state,
    intent: intentOf(intent),
    steps: entries.map(({ state, wallTime, marketTime }) => ({
      state,
      wall_time: wallTime,
      time: marketTime,
    })),
    explanation: explainLife(life),
  };
}
