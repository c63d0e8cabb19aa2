import { expect, test } from 'vitest';
import { isOfCache } from '../../src/contract/isOfCache.ts';

test.each([
  [undefined, false],
  ['0', false],
  ['1', true],
  ['600', true],
  // What nobody can read is no sign that it is new.
  ['soon', true],
])('an answer with the age %s is of a cache: %s', (age, expected) => {
  expect(isOfCache({ headers: age === undefined ? {} : { age } })).toBe(expected);
});
