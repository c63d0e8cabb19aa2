import { expect, test } from 'vitest';
import { createRandom } from '../../src/env/index.ts';
import { NumberedIds } from '../../src/streams/NumberedIds.ts';
import { isFull, rotation } from '../tiers.ts';

const IDS = [
  'ord_0',
  'ord_1',
  'ord_2',
  'ord_01',
  'ord_9',
  'ord_10',
  'ord_1700000000000',
  'ord_9007199254740993',
  'ord_9007199254740992',
  'ord_',
  'exe_3',
  'ord_x',
  '7',
  '',
];

const CASES = isFull ? 300 : 20;

test('it holds what a Map holds, whatever the order and the form of the ids', () => {
  for (let at = 0; at < CASES; at++) {
    const seed = `${rotation} ${at}`;
    const random = createRandom(`ids ${seed}`);
    const ids = new NumberedIds<number>();
    const map = new Map<string, number>();
    for (let step = 0; step < 60; step++) {
      const id = random.next() < 0.5 ? IDS[Math.floor(random.next() * IDS.length)]! : `ord_${step}`;
      if (random.next() < 0.2) {
        ids.delete(id);
        map.delete(id);
      } else {
        ids.set(id, step);
        map.set(id, step);
      }
      for (const each of [...IDS, id, `ord_${step - 1}`]) {
        expect([seed, step, each, ids.get(each)]).toEqual([seed, step, each, map.get(each)]);
        expect(ids.has(each)).toBe(map.has(each));
      }
    }
  }
});
