import { expect, test } from 'vitest';
import { Ledger } from '../../../src/paper/venue/Ledger.ts';

const filled = (count: number, limit = 1_000, isClosed = (_item: number) => true) => {
  const ledger = new Ledger<number>(limit, isClosed);
  for (let index = 1; index <= count; index++) ledger.add(`ord_${index * 3}`, index);
  return ledger;
};

const all = (ledger: Ledger<number>, before?: number) =>
  [...ledger.newest(before)].map(({ item }) => item);

test('a record is found by its exact id only', () => {
  const ledger = filled(100);
  for (let index = 1; index <= 100; index++) expect(ledger.get(`ord_${index * 3}`)).toBe(index);
  for (const id of ['ord_4', 'exe_3', 'ord_', 'ord_x', '3', '', 'ord_03', 'ord_301']) {
    expect(ledger.get(id)).toBeUndefined();
  }
});

test('newest first, from any position', () => {
  const ledger = filled(5);
  expect(all(ledger)).toEqual([5, 4, 3, 2, 1]);
  const places = [...ledger.newest()].map(({ place }) => place);
  expect(all(ledger, places[1]!)).toEqual([3, 2, 1]);
});

test('a removed record is gone, its neighbours stay', () => {
  const ledger = filled(3);
  ledger.remove('ord_6');
  ledger.remove('ord_7');
  expect(all(ledger)).toEqual([3, 1]);
  expect(ledger.size).toBe(2);
});

test('beyond its limit the oldest closed records go; open ones never do', () => {
  const ledger = filled(200, 80, (item) => item > 5);
  expect(ledger.size).toBeLessThanOrEqual(90);
  expect(all(ledger).slice(-5)).toEqual([5, 4, 3, 2, 1]);
  expect(ledger.get('ord_600')).toBe(200);
  expect(ledger.get('ord_18')).toBeUndefined();
});

test('a record is not dropped as it comes, even if all before it are open', () => {
  expect(all(filled(4, 1, (item) => item > 3))).toEqual([4, 3, 2, 1]);
  expect(all(filled(5, 1, (item) => item > 3))).toEqual([5, 3, 2, 1]);
});
