import { requireFields } from '../contract/failures/requireFields.ts';
import { AssertionError } from 'node:assert';
import { withCode } from '../contract/index.ts';
import { comparedParts } from './comparedParts.ts';
import { compareIntents, type ExpectedIntent, type IntentsOfTest } from './compareIntents.ts';

/**
 * Asserts that a strategy sent exactly these intents, in this order. Of each only the given fields are
 * compared; a runner's placeholders, such as `expect.closeTo(5)`, may take the place of a value.
 *
 * ```ts
 * const test = testStrategy(plugin, { symbols: ['BTC'] }).bars('BTC', '1h', [100, 101]);
 * assertIntents(test, [{ kind: 'place_order', request: { side: 'buy' } }]);
 * ```
 *
 * @throws Error Node's `AssertionError`, with the first difference and the list of what was sent
 */
export function assertIntents(test: IntentsOfTest, expected: readonly ExpectedIntent[]): void {
  requireFields('assertIntents', test, ['intents', 'suppressed']);
  const message = compareIntents(test, expected);
  if (message === undefined) return;
  throw withCode(
    'TRIMTAB_TEST_EXPECTATION',
    new AssertionError({
      message,
      actual: comparedParts(test.intents, expected),
      expected,
      operator: 'assertIntents',
    }),
  );
}
