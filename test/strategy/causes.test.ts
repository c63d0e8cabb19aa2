import { expect, test } from 'vitest';
import { outcomeCause, refCause } from '../../src/strategy/causes.ts';
import type { Outcome } from '../../src/strategy/index.ts';

const FIRST = 'main/trend/bar:BTC:1h:1735689600000#0';

/** The keys of decisions upon each other's rejections. */
function chainOf(length: number, first = FIRST): string[] {
  const keys = [first];
  while (keys.length < length) {
    const outcome = { decisionKey: keys.at(-1)!, state: 'rejected' } as Outcome;
    keys.push(`main/trend/${outcomeCause.name(outcome, 0)}#0`);
  }
  return keys;
}

test('the names of decisions upon outcomes stay short, apart from each other, and the same each time', () => {
  const keys = chainOf(2_000);
  expect(Math.max(...keys.map(({ length }) => length))).toBeLessThan(400);
  expect(new Set(keys).size).toBe(keys.length);
  expect(chainOf(2_000)).toEqual(keys);
  const others = chainOf(2_000, FIRST.replace('#0', '#1'));
  expect(keys.filter((key) => others.includes(key))).toEqual([]);
});

test('a short chain has the name of each of its events', () => {
  const [, second, third] = chainOf(3);
  expect(second).toBe('main/trend/outcome:main:trend:bar:BTC:1h:1735689600000:0:rejected#0');
  expect(third).toBe(
    'main/trend/outcome:main:trend:outcome:main:trend:bar:BTC:1h:1735689600000:0:rejected:0:rejected#0',
  );
});

test('what a ref became of an outcome is named as shortly', () => {
  const decisionKey = `main/trend/${'outcome:'.repeat(200)}#0`;
  const outcome = { decisionKey, state: 'rejected' } as Outcome;
  const name = refCause.name({ ref: 'a', news: { kind: 'outcome', outcome } } as never, 0);
  expect(name).toMatch(/^ref:a:chain-[0-9a-f]{32}:rejected$/);
});
