import { withCode } from '../contract/index.ts';

/** A call of a test that can't be carried out: what is wrong with which value, and what to write instead. */
export function testRefusal(reason: string, remedy: string): Error {
  return withCode('TRIMTAB_TEST_CALL', new Error(`${reason}\n  ${remedy}`));
}
