import { expect, test } from 'vitest';
import { RecentValues } from '../../src/streams/RecentValues.ts';

test('of the values those are known that were set or renewed last, up to twice the limit', () => {
  const values = new RecentValues<number>(10);
  for (let at = 0; at < 1_000; at++) {
    values.set(`ord_${at}`, at);
    // One that is renewed is never among the oldest.
    expect(values.renew('ord_0')).toBe(true);
    const known = Array.from({ length: at + 1 }, (_none, one) => values.get(`ord_${one}`));
    const latest = known.slice(-9);
    expect(latest).toEqual(latest.map((_none, one) => at + 1 - latest.length + one));
    expect(known.filter((one) => one !== undefined).length).toBeLessThanOrEqual(20);
  }
  expect(values.get('ord_0')).toBe(0);
  expect([values.has('ord_1'), values.renew('ord_1')]).toEqual([false, false]);
  values.set('ord_0', 7);
  expect(values.get('ord_0')).toBe(7);
});
