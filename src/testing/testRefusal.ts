import { withCode } from '../contract/index.ts';

/** A call of a test that can't be carried out: what is wrong with which value, and what to write instead. */
export function testRefusal(reason: string, remedy: string): Error {
  return withCode('TRIMTAB_TEST_CALL', new Error(`${reason}\n  ${remedy}`));
}

/** The service gives a basket's executions ids of their own, and a test has none of them. */
export const basketRefusal = (call: string): Error =>
  testRefusal(
    `${call}: a launch_basket has no execution of its own, and those of its legs are not in a test.`,
    'Show what its legs fill by foreignFill, or by position.',
  );
