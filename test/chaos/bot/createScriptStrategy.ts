import { Subject, tap } from 'rxjs';
import { z } from 'zod';
import type { Intent } from '../../../src/intents/index.ts';
import type { IntentState } from '../../../src/journal/index.ts';
import { defineStrategy, type Strategy } from '../../../src/strategy/index.ts';
import type { Step } from '../script.ts';

export interface ScriptOptions {
  script: readonly Step[];
  /** Pause between two steps, so that an external disturbance hits a running script. */
  paceMs: number;
  /** The journal's state of a decision, under its latest key. */
  stateOf(decision: string): IntentState | undefined;
  onEmit(): void;
  /** Number of steps done. */
  onStep(done: number): void;
  onFailed(reason: string): void;
}

const LOOK_MS = 20;
/** A closed gate opens once the streams agree; retrying more often would be a flood. */
const RETRY_MS = 500;

/**
 * Runs the steps in order. It has no state across restarts: it decides everything again, under the same
 * names, and the journal recognises earlier decisions.
 */
export function createScriptStrategy(options: ScriptOptions): Strategy {
  const { script, stateOf } = options;
  return defineStrategy({
    name: 'script',
    contract: 1,
    description: 'Does what the script says, each step once.',
    params: z.object({}),
    scopes: ['trade', 'algo'],
    setup(ctx) {
      const intents$ = new Subject<Intent>();
      let next = 0;
      let attempt = 0;
      let waitUntil = 0;
      /** Decided in this process; the journal must have the others. */
      const decided = new Set<string>();

      /** The first attempt has the step's own name. */
      const nameOf = (step: Step, of: number): string =>
        of === 0 ? step.name : `${step.name}.${of}`;

      const decide = (step: Step, name: string): void => {
        decided.add(name);
        const intent = step.intent(name);
        intents$.next(intent.ref === undefined ? intent : { ...intent, ref: step.name });
      };

      const look = (): void => {
        const step = script[next];
        if (step === undefined || performance.now() < waitUntil) return;
        const name = nameOf(step, attempt);
        // An absent intent is decided again unless a later attempt has another name.
        const isOver = stateOf(nameOf(step, attempt + 1)) !== undefined;
        if (!decided.has(name) && !(isOver && stateOf(name) === 'absent')) decide(step, name);
        follow(step, name);
      };

      function follow(step: Step, name: string): void {
        switch (stateOf(name)) {
          case 'accepted':
            next++;
            attempt = 0;
            waitUntil = performance.now() + options.paceMs;
            return options.onStep(next);
          case 'denied':
          case 'expired':
          case 'absent':
            attempt++;
            waitUntil = performance.now() + RETRY_MS;
            return;
          case 'rejected':
            return options.onFailed(`${step.name} was rejected`);
          default:
        }
      }

      const timer = setInterval(look, LOOK_MS);
      ctx.log.debug('The script begins');
      return intents$.pipe(
        tap({ next: () => options.onEmit(), unsubscribe: () => clearInterval(timer) }),
      );
    },
  });
}
