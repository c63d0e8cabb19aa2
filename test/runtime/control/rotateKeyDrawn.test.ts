import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMemoryStore } from '../../../src/journal/index.ts';
import {
  confirmKey,
  keyAt,
  keyBefore,
  lastKeyChange,
  latchKey,
} from '../../../src/runtime/control/rotateKey.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';

/**
 * Which key signed at which time, by the journal alone: what one key sent is never sent again with another, so that a key
 * that is read back wrongly is an order that is there twice.
 */

/** Whatever a service calls its keys, as far as a configuration takes it. */
const keyId = fc
  .string({ unit: fc.constantFrom('a', 'b', '1', '-', '.', '_', ':', '/'), maxLength: 4 })
  .map((rest) => `vk_${rest}`);
const reason = fc.constantFrom('by hand', 'at the start', 'a: b', 'vk_1: x', 'in place of vk_9: y');
const change = fc.record({
  how: fc.constantFrom('start' as const, 'rotation' as const),
  keyId,
  reason,
});

test('the journal says which key signed before and since its last change, whatever they are called', async () => {
  const tried = new Tried();
  await holdLaw(500, fc.array(change, { maxLength: 4 }), async (changes) => {
    const store = createMemoryStore();
    let present: string | undefined;
    let last: { previous: string; time: number } | undefined;
    let time = 0;
    for (const { how, keyId: next, reason: why } of changes) {
      time += 10;
      if (how === 'start') {
        await latchKey(store, next, time);
        // A start with the same key changes nothing.
        if (next === present) continue;
        last = present === undefined ? undefined : { previous: present, time };
      } else {
        // The key of a bot that runs is latched from its start on.
        if (present === undefined) continue;
        const about = { keyId: next, previous: present, fingerprint: 'f00d', reason: why };
        await confirmKey(store, about, time);
        last = { previous: present, time };
      }
      present = next;
    }
    expect(keyBefore(store)).toBe(present);
    if (present === undefined) return;
    const since = store.latch('api key')!.time;
    expect([since, since + 1].map((at) => keyAt(store, at))).toEqual([present, present]);
    expect(keyAt(store, since - 1)).toBe(last?.previous ?? present);
    expect(lastKeyChange(store, present)).toEqual(last);
    // A key that another one has replaced did not change last.
    expect(lastKeyChange(store, `${present}x`)).toBeUndefined();
    tried.take(last === undefined ? 'never changed' : 'changed');
  });
  expect(tried.rare(['never changed', 'changed'], 30)).toEqual([]);
});
