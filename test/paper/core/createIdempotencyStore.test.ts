import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createIdempotencyStore } from '../../../src/paper/core/createIdempotencyStore.ts';

const KEEP_MS = 100;
const act = fc.record({
  after: fc.nat(70),
  key: fc.constantFrom('a', 'b', 'c', 'd'),
  keeps: fc.boolean(),
});

test('a response is found for its retention time and not longer', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
      const store = createIdempotencyStore(KEEP_MS, 'refuse');
      const known = new Map<string, { storedAt: number; bodyText: string }>();
      let time = 1_000_000;
      for (const [index, { after, key, keeps }] of acts.entries()) {
        time += after;
        const identity = { exact: key, meaning: ['main', key] };
        const held = known.get(key);
        const first = held !== undefined && time - held.storedAt < KEEP_MS ? held : undefined;
        expect(store.find('vk', key, identity, time)?.bodyText).toBe(first?.bodyText);
        expect(store.find('other', key, identity, time)).toBeUndefined();
        if (!keeps || first !== undefined) continue;
        store.keep('vk', key, identity, { status: 201, bodyText: `${index}` }, time);
        known.delete(key);
        known.set(key, { storedAt: time, bodyText: `${index}` });
      }
      const left = [...known.values()].filter(({ storedAt }) => time - storedAt < KEEP_MS);
      expect(store.save(time).map(({ bodyText }) => bodyText)).toEqual(
        left.map(({ bodyText }) => bodyText),
      );
    }),
  );
});
