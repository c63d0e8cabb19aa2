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

class Signal {
  readonly side: string;
  constructor(side: string) {
    this.side = side;
  }
}
const coded = (message: string, code: string) => Object.assign(new Error(message), { code });

test.each<[string, unknown, unknown]>([
  ['an error by its message', new Error('a'), new Error('b')],
  ['an error by its name', new TypeError('a'), new Error('a')],
  ['an error by its code', coded('a', 'A'), coded('a', 'B')],
  ['an error that lacks a code', new Error('a'), coded('a', 'A')],
  ['an error and what looks like it', { name: 'Error', message: 'a' }, new Error('a')],
  ['nothing and an error', undefined, new Error('a')],
  ['a date', new Date(1), new Date(2)],
  ['a map', new Map([['a', 1]]), new Map([['a', 2]])],
  ['a set', new Set([1]), new Set([2])],
  ['bytes', Uint8Array.of(1), Uint8Array.of(2)],
  ['an expression', /a/, /b/],
  ['an object of a class', new Signal('buy'), new Signal('sell')],
  ['a list and fields', [], {}],
])('%s differs, at any depth', (_what, actual, expected) => {
  expect(findDifference(actual, expected)).toMatchObject({ path: '' });
  expect(findDifference([{ at: actual }], [{ at: expected }])).toMatchObject({ path: '[0].at' });
});

test.each<[unknown, unknown]>([
  [new TypeError('a'), new TypeError('a')],
  [coded('a', 'A'), coded('a', 'A')],
  [coded('a', 'A'), new Error('a')],
  [new Date(1), new Date(1)],
  [new Map([['a', { b: 1 }]]), new Map([['a', { b: 1 }]])],
  [new Set([1]), new Set([1])],
  [new Signal('buy'), new Signal('buy')],
  [new Signal('buy'), { side: 'buy' }],
  [new Signal('buy'), expect.any(Signal)],
  [{ a: 1, b: 2 }, Object.assign(Object.create(null) as object, { a: 1 })],
])('%j is %j', (actual, expected) => {
  expect(findDifference([actual], [expected])).toBeUndefined();
});
