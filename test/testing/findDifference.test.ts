import { expect, test } from 'vitest';
import { findDifference } from '../../src/testing/findDifference.ts';

const sent = [{ kind: 'place_order', request: { size: 1, tags: ['a', 'b'] } }];

test.each([
  [[], '[0]'],
  [[{ kind: 'launch' }], '[0].kind'],
  [[{ request: { size: 2 } }], '[0].request.size'],
  [[{ request: { tags: ['a'] } }], '[0].request.tags[1]'],
  [[{ request: { tags: ['a', 'b', 'c'] } }], '[0].request.tags[2]'],
  [[{ request: { price: 1 } }], '[0].request.price'],
  [[{ request: 'none' }], '[0].request'],
  [[{ kind: { of: 'x' } }], '[0].kind'],
  [[{ request: { size: expect.any(String) as unknown } }], '[0].request.size'],
  [[{}, {}], '[1]'],
])('%j differs at %s', (expected, path) => {
  expect(findDifference(sent, expected)?.path).toBe(path);
});

test.each([
  [[{}]],
  [[{ kind: 'place_order' }]],
  [[{ request: { tags: ['a', 'b'] } }]],
  [[{ request: { size: expect.any(Number) as unknown } }]],
])('%j does not', (expected) => {
  expect(findDifference(sent, expected)).toBeUndefined();
});

test('NaN is equal to itself, and an absent field to undefined', () => {
  expect(findDifference({ a: Number.NaN }, { a: Number.NaN, b: undefined })).toBeUndefined();
  expect(findDifference({ a: 0 }, { a: 1 })?.path).toBe('a');
  expect(findDifference([], {})?.path).toBe('');
});
