import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OrderRecord, WatchRow } from '../../../src/contract/index.ts';
import { createFilledSizes } from '../../../src/runtime/wallet/index.ts';
import { holdLaw } from '../../holdLaw.ts';

const OWNERS = ['ord_a', 'ord_b', 'exe_c', 'exe_d'];
/** What has no row is forgotten beyond a thousand. */
const MANY = 1_100;

/** A row's stop covers what its entry has filled: that size must not be lost, however much else fills meanwhile. */
test('the filled size of what has a row is known as long as it has one', async () => {
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        id: fc.constantFrom(...OWNERS),
        size: fc.constantFrom(0, 1, 2, 3),
        reduceOnly: fc.boolean(),
      }),
    },
    { weight: 2, arbitrary: fc.record({ rows: fc.subarray(OWNERS) }) },
    { weight: 1, arbitrary: fc.constant({ others: MANY }) },
  );
  await holdLaw(60, fc.array(step, { minLength: 3, maxLength: 14 }), (steps) => {
    const filled = createFilledSizes();
    let rows = new Set<string>();
    /** Shown while it had a row, and it has had one since. */
    const sure = new Map<string, number>();
    let others = 0;
    for (const one of steps) {
      if ('others' in one) {
        for (let at = 0; at < one.others; at++) {
          const order = { order_id: `ord_${others++}`, filled_size: 1, reduce_only: false };
          expect(filled.order(order as OrderRecord)).toBe(false);
          if (filled.of(order.order_id) !== 1)
            expect.fail(`${order.order_id} is forgotten at once`);
        }
      } else if ('rows' in one) {
        rows = new Set(one.rows);
        for (const id of sure.keys()) if (!rows.has(id)) sure.delete(id);
        filled.rows(
          one.rows.map(
            (id) => ({ [id.startsWith('ord') ? 'order_id' : 'execution_id']: id }) as WatchRow,
          ),
        );
      } else {
        const { id, size, reduceOnly } = one;
        const isOrder = id.startsWith('ord');
        const record = {
          order_id: id,
          execution_id: id,
          filled_size: size,
          reduce_only: reduceOnly,
        };
        const before = filled.of(id);
        const hasGrown = isOrder
          ? filled.order(record as never)
          : filled.execution(record as never);
        const counts = size > 0 && !(isOrder && reduceOnly);
        // A frame that comes late shows less than what has filled by then.
        const most = Math.max(size, before ?? 0);
        expect(hasGrown).toBe(counts && rows.has(id) && before !== most);
        if (counts) expect(filled.of(id)).toBe(most);
        if (counts && rows.has(id)) sure.set(id, most);
      }
      for (const [id, size] of sure) expect(filled.of(id), id).toBe(size);
      const known = Array.from({ length: others }, (_none, at) => filled.of(`ord_${at}`));
      expect(known.filter((size) => size !== undefined).length).toBeLessThanOrEqual(MANY);
    }
  });
});
