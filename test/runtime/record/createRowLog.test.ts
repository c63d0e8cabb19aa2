import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRowLog } from '../../../src/runtime/record/createRowLog.ts';

interface Row {
  time: number;
  id: string;
  side: 'buy' | 'sell';
  pnl?: number | null;
  why?: string;
}

const createLog = () =>
  createRowLog<Row>({ time: 'number', id: 'text', side: 'word', pnl: 'number', why: 'word' });

test('returns the rows in their order', () => {
  const log = createLog();
  const rows: Row[] = [
    { time: 1, id: 'a', side: 'buy' },
    { time: 2.5, id: 'b', side: 'sell', pnl: -0.25, why: 'stop' },
    { time: 3, id: 'c', side: 'buy', pnl: 0, why: 'stop' },
  ];
  expect(rows.map((row) => log.add(row))).toEqual([0, 1, 2]);
  expect(log.list()).toStrictEqual(rows);
});

test('leaves out undefined values and invalid numbers', () => {
  const log = createLog();
  log.add({ time: 1, id: 'a', side: 'buy', pnl: null });
  expect(log.list()).toStrictEqual([{ time: 1, id: 'a', side: 'buy' }]);
});

test('a field of an existing row can be replaced and removed', () => {
  const log = createLog();
  log.add({ time: 1, id: 'a', side: 'buy', why: 'first' });
  const place = log.add({ time: 2, id: 'b', side: 'buy', why: 'first' });
  log.set(place, 'why', 'second');
  log.set(place, 'side', 'sell');
  expect(log.list()[1]).toStrictEqual({ time: 2, id: 'b', side: 'sell', why: 'second' });
  log.set(place, 'why', undefined);
  expect(log.list()).toStrictEqual([
    { time: 1, id: 'a', side: 'buy', why: 'first' },
    { time: 2, id: 'b', side: 'sell' },
  ]);
});

test('lists drawn rows, with the fields that each has, however often and whatever becomes of a list', () => {
  const row = fc.record(
    {
      time: fc.nat(),
      id: fc.string(),
      side: fc.constantFrom('buy' as const, 'sell' as const),
      pnl: fc.integer(),
      why: fc.constantFrom('stop', 'target'),
    },
    { requiredKeys: ['time', 'id', 'side'], noNullPrototype: true },
  );
  fc.assert(
    fc.property(fc.array(row, { maxLength: 40 }), (rows) => {
      const log = createLog();
      for (const one of rows) log.add({ ...one });
      for (const listed of log.list()) listed.why = 'changed by the reader';
      expect(JSON.stringify(log.list())).toBe(JSON.stringify(rows.map(inOrder)));
    }),
    { numRuns: 200 },
  );
});

/** The same with its fields in the order of the log's. */
function inOrder({ time, id, side, pnl, why }: Row): Row {
  const row: Row = { time, id, side };
  if (pnl !== undefined) row.pnl = pnl;
  if (why !== undefined) row.why = why;
  return row;
}
