import { expect, test } from 'vitest';
import { monitorIdsOf } from '../../src/journal/monitorIdsOf.ts';

const rowOf = (record: unknown) => ({ data: JSON.stringify({ record }) });

test('the ids are those of the answers that have one, and what is damaged hides no other', () => {
  const rows = [
    rowOf({ monitor_id: 'mon_1', name: 'a' }),
    { data: '{"record": {"monitor_id": "mon_0"' },
    rowOf({ order_id: 'ord_1' }),
    rowOf({ monitor_id: 7 }),
    rowOf({ monitor_id: null }),
    rowOf(null),
    rowOf(undefined),
    { data: 'null' },
    { data: null },
    {},
    rowOf({ monitor_id: 'mon_2' }),
    rowOf({ monitor_id: 'mon_1' }),
  ];
  expect([...monitorIdsOf(rows)]).toEqual(['mon_1', 'mon_2']);
  expect(monitorIdsOf([]).size).toBe(0);
});
