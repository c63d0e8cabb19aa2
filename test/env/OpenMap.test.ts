import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OpenMap } from '../../src/env/index.ts';

const KEYS = Array.from({ length: 12 }, (_none, at) => `key ${at}`);
const step = fc.record({
  act: fc.constantFrom('set', 'set', 'set', 'delete', 'delete', 'clear'),
  key: fc.constantFrom(...KEYS),
  value: fc.nat(),
});

const act = (
  map: Pick<Map<string, number>, 'delete' | 'clear'> & { set(key: string, value: number): unknown },
  one: typeof step extends fc.Arbitrary<infer Step> ? Step : never,
): boolean => {
  if (one.act === 'set') map.set(one.key, one.value);
  else if (one.act === 'delete') return map.delete(one.key);
  else map.clear();
  return true;
};

test('holds, finds and lists what a Map does, with few entries and with many', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const [map, open] = [new Map<string, number>(), new OpenMap<number>()];
      for (const one of steps) {
        expect(act(open, one)).toBe(act(map, one));
        expect(open.size).toBe(map.size);
        expect(open.values()).toEqual([...map.values()]);
        for (const key of KEYS) {
          expect(open.get(key)).toBe(map.get(key));
          expect(open.has(key)).toBe(map.has(key));
        }
      }
    }),
  );
});

test('a list of values does not change with the map', () => {
  const open = new OpenMap<number>();
  open.set('a', 1);
  const values = open.values();
  open.delete('a');
  expect(values).toEqual([1]);
});
