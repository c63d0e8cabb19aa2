import { Subject, type Observable } from 'rxjs';
import type { Intent } from '../intents/index.ts';
import type { Emission, Outcome } from '../strategy/index.ts';
import { toTestedIntent, type TestedIntent } from './TestedIntent.ts';

/** What the strategy of a test decided, as its host reports it. */
export interface Decisions {
  /** Oldest first; both lists grow. */
  readonly intents: readonly TestedIntent[];
  /** Those of warm-up, which are not sent. */
  readonly suppressed: readonly TestedIntent[];
  readonly intents$: Observable<TestedIntent>;
  /** The intent as the strategy emitted it. */
  proposed(intent: TestedIntent): Intent;
  onIntent(emission: Emission): void;
  onSuppressed(intent: Intent, cause: string): void;
}

export interface DecisionsOptions {
  now(): number;
  /** A new intent, before it is emitted to {@link Decisions.intents$}. */
  answer(intent: TestedIntent): void;
  onDuplicate(outcome: Outcome): void;
}

export function createDecisions({ now, answer, onDuplicate }: DecisionsOptions): Decisions {
  const intents: TestedIntent[] = [];
  const suppressed: TestedIntent[] = [];
  const intents$ = new Subject<TestedIntent>();
  const proposed = new Map<TestedIntent, Intent>();
  const decided = new Set<string>();

  return {
    intents,
    suppressed,
    intents$: intents$.asObservable(),
    proposed: (intent) => proposed.get(intent)!,
    onIntent({ intent, decisionKey, cause, trigger, marketTime, isCatchUp }) {
      // The journal accepts a decision once, across restarts as well.
      if (decided.has(decisionKey))
        return onDuplicate({ state: 'duplicate', intent, decisionKey, time: marketTime });
      decided.add(decisionKey);
      const liveness = isCatchUp === true ? 'catch_up' : 'live';
      const details = { cause, liveness, time: marketTime, decisionKey, trigger } as const;
      const tested = toTestedIntent(intent, details);
      proposed.set(tested, intent);
      intents.push(tested);
      answer(tested);
      intents$.next(tested);
    },
    onSuppressed(intent, cause) {
      const details = {
        cause,
        liveness: 'warm_up',
        time: now(),
        decisionKey: '',
        trigger: {},
      } as const;
      suppressed.push(toTestedIntent(intent, details));
    },
  };
}
