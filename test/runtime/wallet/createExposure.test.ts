import { describe, expect, test } from 'vitest';
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
  exposure.becomes('late', ['exe_1'], 0, { clientName: 'client:late' });
  expect(pending(exposure)).toBe(1);
  exposure.seen('client:late');
  expect(pending(exposure)).toBe(0);

  exposure.add('early', 'main', { entries: buy(2) });
  exposure.seen('client:early');
  expect(pending(exposure)).toBe(2);
  exposure.becomes('early', ['exe_2'], 0, { clientName: 'client:early' });
  expect(pending(exposure)).toBe(0);
});

describe('an order that is made larger before it is shown', () => {
  const standing = (size: number, updated_time: number) => ({ size, updated_time });
  const NAME = { clientName: 'client:c' };
  function grown(changedAt: number) {
    const exposure = createExposure();
    exposure.add('place', 'main', { entries: buy(2) });
    exposure.becomes('place', ['ord_1'], 0, NAME);
    exposure.add('grow', 'main', { entries: buy(1) });
    exposure.becomes('grow', ['ord_1'], 0, { ...NAME, standing: standing(3, changedAt) });
    const see = (size: number, time: number): void => {
      exposure.seen('ord_1', standing(size, time));
      exposure.seen('client:c', standing(size, time));
    };
    return { exposure, see };
  }

  test.each([100, 101])('counts whole until each of both is shown, changed at %i', (changedAt) => {
    const { exposure, see } = grown(changedAt);
    expect(pending(exposure)).toBe(3);
    see(2, 100);
    expect(pending(exposure)).toBe(1);
    see(3, changedAt);
    expect(pending(exposure)).toBe(0);
  });

  test('is shown with both by one frame of the change, or of later', () => {
    const first = grown(101);
    first.see(3, 101);
    expect(pending(first.exposure)).toBe(0);
    // Made smaller again since.
    const later = grown(101);
    later.see(1, 102);
    expect(pending(later.exposure)).toBe(0);
  });

  test('is not shown by a frame of before that overtook the answer', () => {
    const exposure = createExposure();
    exposure.add('grow', 'main', { entries: buy(1) });
    exposure.seen('ord_1', standing(2, 100));
    exposure.becomes('grow', ['ord_1'], 0, { standing: standing(3, 101) });
    expect(pending(exposure)).toBe(1);
    exposure.seen('ord_1', standing(3, 101));
    expect(pending(exposure)).toBe(0);
  });

  test('counts no more than what is left when its change is refused', () => {
    const { exposure, see } = grown(101);
    exposure.remove('grow');
    expect(pending(exposure)).toBe(2);
    see(2, 100);
    expect(pending(exposure)).toBe(0);
  });
});
