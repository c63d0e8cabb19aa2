/**
 * Matchers for vitest, added by the import: `import 'trimtab/testing/vitest'` in a test, or in `setupFiles`.
 * vitest is an optional peer dependency, and loaded by this entry only.
 */
import { expect } from 'vitest';
import {
  comparedParts,
  compareIntents,
  type ExpectedIntent,
  type IntentsOfTest,
} from './testing/index.ts';

export interface StrategyMatchers<R = unknown> {
  /**
   * Exactly these intents were sent, in this order; of each only the given fields are compared.
   *
   * ```ts
   * expect(test).toEmitIntents([{ kind: 'place_order', request: { side: 'buy' } }]);
   * ```
   */
  toEmitIntents(expected: readonly ExpectedIntent[]): R;
}

declare module 'vitest' {
  interface Matchers<
    R extends void | Promise<void> = void | Promise<void>,
    T = unknown,
  > extends StrategyMatchers<R> {}
}

expect.extend({
  toEmitIntents(received: IntentsOfTest, expected: readonly ExpectedIntent[]) {
    const message = compareIntents(received, expected);
    return {
      pass: message === undefined,
      message: () => message ?? `Exactly these ${expected.length} intents were sent.`,
      actual: comparedParts(received.intents, expected),
      expected,
    };
  },
});
