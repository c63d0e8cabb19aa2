import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OrderRecord } from '../../../src/contract/index.ts';
import { modifyOrder, type Intent } from '../../../src/intents/index.ts';
import { effectOf } from '../../../src/intents/effectOf.ts';
import { enlarging } from '../../../src/guards/index.ts';
import { GuardView } from '../../../src/runtime/pipe/GuardView.ts';
import { openedBy, reducedBy, resizedBy } from '../../../src/runtime/pipe/openedBy.ts';
import { createExposure } from '../../../src/runtime/wallet/createExposure.ts';
import { createWalletBook } from '../../../src/runtime/wallet/createWalletBook.ts';
import { holdLaw } from '../../holdLaw.ts';
import { account, order } from '../../streams/records.ts';

/** Sizes that one order is given, each decided before the one before it is shown. */
const drawn = fc.record({
  isReducing: fc.boolean(),
  sizes: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 3 }),
});

test('an order counts with the largest size that it may still get, whatever was shown by then', async () => {
  await holdLaw(300, drawn, ({ isReducing, sizes }) => {
    const exposure = createExposure();
    const book = createWalletBook({
      priceOf: () => 1,
      isListed: () => false,
      isAwaited: () => false,
      now: () => 0,
    });
    const subject = { now: 0, present: 0, wallet: 'main', instance: 'one', book };
    const view = new GuardView({ exposure } as never, subject as never);
    const count = (): number =>
      isReducing ? view.closing('BTC', 'buy') : view.pending('BTC', 'buy');
    function show(size: number, time: number): OrderRecord {
      const record = { ...order('o'), size, reduce_only: isReducing, updated_time: time };
      const openOrders = new Map([['o', record]]);
      book.model({ account, positions: new Map(), balances: new Map(), openOrders } as never);
      exposure.seen('o', record);
      return record;
    }
    const shown = show(5, 0);
    for (const [at, size] of sizes.entries()) {
      const intent: Intent = modifyOrder({ order_id: 'o' }, { size });
      const opened = openedBy(intent, effectOf(intent), shown);
      exposure.add(`k${at}`, 'main', {
        entries: enlarging(opened === 'opaque' ? [] : (opened ?? [])),
        reductions: reducedBy(intent, shown),
        resized: resizedBy(intent, { pathParams: { id: 'o' } } as never, shown),
      });
    }
    expect(count()).toBeGreaterThanOrEqual(Math.max(5, ...sizes));
    for (const [at, size] of sizes.entries()) {
      const standing = { size, updated_time: at + 1 };
      exposure.becomes(`k${at}`, ['o'], 0, { standing });
      show(size, at + 1);
      expect(count()).toBeGreaterThanOrEqual(Math.max(...sizes.slice(at)));
    }
    expect(count()).toBe(sizes.at(-1));
  });
});
