import { expect, test } from 'vitest';
import { createExposure } from '../../../src/runtime/wallet/createExposure.ts';

const buy = (size: number) => [{ symbol: 'BTC', side: 'buy' as const, size }];
const pending = (exposure: ReturnType<typeof createExposure>): number =>
  exposure.pending('main', 'BTC', 'buy');

test('an intent counts until the streams show its record, in any order', () => {
  const exposure = createExposure();
  exposure.add('late', 'main', { entries: buy(1) });
  exposure.becomes('late', ['ord_1'], 0);
  expect(pending(exposure)).toBe(1);
  exposure.seen('ord_1');
  expect(pending(exposure)).toBe(0);

  exposure.add('early', 'main', { entries: buy(2) });
  exposure.seen('ord_2');
  expect(pending(exposure)).toBe(2);
  exposure.becomes('early', ['ord_2'], 0);
  expect(pending(exposure)).toBe(0);
});

test('a basket counts until each of its executions is shown', () => {
  const exposure = createExposure();
  exposure.add('basket', 'main', { entries: buy(3) });
  exposure.becomes('basket', ['exe_1', 'exe_2'], 0);
  exposure.seen('exe_2');
  expect(pending(exposure)).toBe(3);
  exposure.seen('exe_1');
  expect(pending(exposure)).toBe(0);
});

test('a record made long before a snapshot is included, even if its own frame was lost', () => {
  const exposure = createExposure();
  exposure.add('accepted', 'main', { entries: buy(1) });
  exposure.add('on its way', 'main', { entries: buy(2) });
  exposure.add('elsewhere', 'other', { entries: buy(4) });
  exposure.becomes('accepted', ['ord_1'], 1_000);
  exposure.becomes('elsewhere', ['ord_2'], 1_000);
  // It may have been made before the answer.
  exposure.shown('main', 5_000);
  expect(pending(exposure)).toBe(3);
  exposure.shown('main', 40_000);
  expect(pending(exposure)).toBe(2);
  expect(exposure.pending('other', 'BTC', 'buy')).toBe(4);
  // Its frame arrives late, and has no owner.
  exposure.seen('ord_1');
  expect(pending(exposure)).toBe(2);
});

test('a record shown under another id is matched by its client id, in any order', () => {
  const exposure = createExposure();
  exposure.add('late', 'main', { entries: buy(1) });
  exposure.becomes('late', ['exe_1'], 0, 'client:late');
  expect(pending(exposure)).toBe(1);
  exposure.seen('client:late');
  expect(pending(exposure)).toBe(0);

  exposure.add('early', 'main', { entries: buy(2) });
  exposure.seen('client:early');
  expect(pending(exposure)).toBe(2);
  exposure.becomes('early', ['exe_2'], 0, 'client:early');
  expect(pending(exposure)).toBe(0);
});
