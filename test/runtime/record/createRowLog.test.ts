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
